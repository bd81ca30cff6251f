"""All tools as they are put together, with whatever a model writes as arguments."""

import json
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.assembly.services import open_services
from angelia.config import load
from angelia.core.events import Event, ToolFinished
from angelia.core.messages import ToolCall, user
from angelia.core.policy import Touched
from angelia.ports import Caller, Tool
from angelia.runtime.orders import Order
from angelia.runtime.services import Services
from angelia.runtime.toolbox import CallContext
from tests.support.fuzz import HOSTILE, arguments_of, fitting
from tests.support.mcp import odd
from tests.support.sandboxes import sandbox_works

SECRET = "swordfish"
SKILL = "---\nname: greet\ndescription: How to greet.\n---\nSay good morning.\n"
# The port of nobody: no search reaches out.
CONFIG = '[web]\nallow_private = ["127.0.0.1:9"]\nsearch = "searxng"\nsearch_url = "{}"\n'

# Texts that mean something to a tool. What is none of a tool's business is hostile to it.
WORDS: dict[str, Sequence[str]] = {
    "terminal": (
        *("true", "false", "pwd", "ls -la . ..", "cat a.txt", "cat link door/secret", "echo x > b"),
        *("cat ../secret ../../secret", "cat {home}/secret", "cat {home}/key", "ls {home}"),
        *("cat {folder}/secret", "cat /proc/1/environ", "echo x > ../pwned", "exit 300"),
        *("printf '\\xff\\x00\\e[2J'", "cd ..", "cd door; pwd", "env", 'echo "', "kill -9 $$"),
    ),
    "process": ("p1", "p2", "x"),
    "read_file": ("a.txt", "door/secret", "link", "{home}/secret"),
    "write_file": ("a.txt", "door/secret", "link", "{home}/secret"),
    "patch": ("a.txt", "one", "two", "door/secret", "link", SECRET[:5]),
    "search_files": ("a.txt", "one", "door", "link", SECRET[:5]),
    "list_files": (".", "door", "{home}"),
    "read_output": ("{run}/call_1", "{run}/../../secret", "../secret", "{home}/secret"),
    "delegate": ("Say hello.", "files", "`cat ../secret`", "list", "nothing"),
    "web_fetch": (
        *("http://127.0.0.1:9/", "http://2130706433/", "http://[::ffff:127.0.0.1]/", "http://"),
        *("file:///etc/passwd", "http://169.254.169.254/", "http://localhost:1/", "https://[::1"),
    ),
    "web_search": ("sea", "site:x"),
    "memory": ("Likes the sea.", "sea", "n1"),
    "session_search": ("sea", "s1", '"', "a* OR b", "NEAR("),
    "skill": ("greet", "SKILL.md", "door", "../../secret", "../greet/door"),
    "schedule": ("every 2h", "0 9 * * *", "2099-01-01T00:00:00Z", "Europe/Athens", "local"),
    "mcp__odd__echo": (),
}
CALLER = Caller("key_1", "s1")


class Place:
    """A server without a surface, and the secrets beside and inside its home."""

    def __init__(self, folder: Path, services: Services, run_id: str) -> None:
        self.folder = folder
        self.run_id = run_id
        self.home = folder / "home"
        self.services = services
        self.secrets = (SECRET, str(services.secret))

    def words(self, name: str) -> list[str]:
        places = {
            "{home}": str(self.home),
            "{folder}": str(self.folder),
            "{run}": self.run_id,
        }
        return [_put(word, places) for word in WORDS[name]]

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.services.runs.toolbox if tool.spec.name == name)

    def outside(self) -> dict[str, bytes]:
        """All that is neither home nor workspace, and what in the home belongs to nobody."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        ours = ("angelia.db", "outputs", "checkpoints", "workspace", "odd")
        return {
            str(path): path.read_bytes()
            for path in files
            if not path.relative_to(self.folder)
            .as_posix()
            .startswith(tuple(f"home/{each}" for each in ours))
        }

    def is_tame(self, arguments: str) -> bool:
        """Of commands, only those that end at once: no shell runs what came by chance."""
        try:
            given: Any = json.loads(arguments)
        except ValueError:
            return True
        command: Any = (
            cast("dict[str, Any]", given).get("command") if isinstance(given, dict) else None
        )
        known = (*self.words("terminal"), *HOSTILE)
        return not isinstance(command, str) or command in known

    async def work(self, name: str, arguments: str) -> tuple[ToolFinished, str]:
        """What the call comes to, and what it has shown meanwhile."""
        shown: list[Event] = []

        async def offer(events: Sequence[Event]) -> None:
            shown.extend(events)

        call_id = f"call_{os.urandom(6).hex()}"
        context = CallContext(self.run_id, call_id, CALLER, offer)
        toolbox = self.services.runs.toolbox
        done = await toolbox.work(ToolCall(call_id, name, arguments), context)
        return done, str(shown)


def _put(word: str, places: dict[str, str]) -> str:
    for name, path in places.items():
        word = word.replace(name, path)
    return word


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    if not sandbox_works():
        pytest.skip("NO SANDBOX: nothing keeps the commands of this test apart")
    home = tmp_path / "home"
    workspace = home / "workspace"
    workspace.mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for secret in (tmp_path / "secret", tmp_path / "outside/secret", home / "secret"):
        secret.write_text(SECRET)
    (workspace / "a.txt").write_text("one\ntwo\n")
    (workspace / "door").symlink_to(tmp_path / "outside")
    (workspace / "link").symlink_to(tmp_path / "secret")
    (home / "skills/greet").mkdir(parents=True)
    (home / "skills/greet/SKILL.md").write_text(SKILL)
    (home / "skills/greet/door").symlink_to(home / "secret")
    (home / "angelia.toml").write_text(CONFIG.format("http://127.0.0.1:9"))
    (home / "mcp.json").write_text(
        json.dumps({"mcpServers": {"odd": odd(home / "odd", tools=["echo"])}})
    )
    environ = {"ANGELIA_LOG": "error", "ANGELIA_MCP_CONFIG": str(home / "mcp.json")}
    async with open_services(load(environ, home=home)) as services:
        await services.runs.toolbox.refresh()
        order = Order(CALLER.tenant, (user("hello"),), "runs", session_id=CALLER.session_id)
        run_id = (await services.runs.start(order)).run.id
        await services.outputs.put(run_id, "call_1", b"a long output " * 1_000)
        place = Place(tmp_path, services, run_id)
        await place.work("terminal", '{"command": "true", "background": true}')
        yield place


async def test_words_are_there_for_exactly_the_tools_there_are(place: Place) -> None:
    assert sorted(tool.spec.name for tool in place.services.runs.toolbox) == sorted(WORDS)


def examples(count: int) -> settings:
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(suppress_health_check=quiet, max_examples=count, deadline=None)


@pytest.mark.parametrize("name", sorted({*WORDS} - {"delegate"}))
@given(data=st.data())
@examples(150)
async def test_any_arguments_come_to_a_result_and_nothing_gets_out(
    place: Place, name: str, data: st.DataObject
) -> None:
    await holds(place, name, data)


@given(data=st.data())
@examples(10)
async def test_whatever_is_delegated_comes_to_a_result(place: Place, data: st.DataObject) -> None:
    """Each of these begins runs."""
    await holds(place, "delegate", data)


def right_for(tool: Tool, words: Sequence[str]) -> st.SearchStrategy[str]:
    """Arguments that fit, with nothing but texts that mean something to the tool."""
    schema = json.loads(bytes(tool.spec.parameters))
    return fitting(schema, st.sampled_from(words or ("x",))).map(json.dumps)


async def holds(place: Place, name: str, data: st.DataObject) -> None:
    tool, before = place.tool(name), place.outside()
    words = place.words(name)
    right, any_at_all = right_for(tool, words), arguments_of(tool, words)
    half = st.booleans().flatmap(lambda fits: right if fits else any_at_all)
    arguments = data.draw(half.filter(place.is_tame))
    assert tool.label(arguments).isprintable()
    assert isinstance(tool.touched(arguments), Touched)
    tool.lane(arguments)
    done, shown = await place.work(name, arguments)
    assert done.output
    assert "The tool failed" not in done.output
    done.output.encode()
    for secret in place.secrets:
        assert secret not in (done.output + shown).replace(arguments, "")
    assert place.outside() == before
