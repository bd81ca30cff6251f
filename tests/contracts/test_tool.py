"""What every built-in tool promises, over real and in-memory adapters."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.adapters.file_checkpoints import FileCheckpoints
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.checkpoints import MemoryCheckpoints
from angelia.adapters.memory.file_search import MemorySearch
from angelia.adapters.processes import PlainProcesses
from angelia.adapters.ripgrep_search import RipgrepSearch
from angelia.adapters.walking_search import WalkingSearch
from angelia.errors import ToolError
from angelia.ports import ChangeJournal, FileSearch, Tool, ToolOutput
from angelia.tools import files
from angelia.tools.process import process
from angelia.tools.terminal import terminal
from angelia.tools.watched import Watched
from angelia.tools.whereabouts import Whereabouts
from tests.tools.watching import Watcher
from tests.tools.workshop import Workshop

NAMES = (
    *("terminal", "process", "read_file", "write_file", "patch", "search_files", "list_files"),
)


@pytest.fixture(params=["real", "memory"])
def tools(request: pytest.FixtureRequest, tmp_path: Path) -> Sequence[Tool]:
    if request.param == "memory":
        shop = Workshop()
        memory = shop.workspace
        return built(shop, MemoryCheckpoints(memory), MemorySearch(memory))
    sandbox, local = PlainProcesses(tmp_path / "w"), LocalWorkspace(tmp_path / "w")
    journal = FileCheckpoints(tmp_path / "kept", tmp_path / "w")
    search = RipgrepSearch(sandbox, local, WalkingSearch(tmp_path / "w"))
    return built(Workshop(sandbox=sandbox, workspace=local), journal, search)


def built(shop: Workshop, journal: ChangeJournal, search: FileSearch) -> Sequence[Tool]:
    whereabouts = Whereabouts(shop.folders, shop.workspace)
    return (
        Watched(terminal(shop.sandbox, shop.background, whereabouts), journal),
        process(shop.background),
        *files(shop.workspace, journal, search),
    )


@pytest.fixture(params=NAMES)
def tool(request: pytest.FixtureRequest, tools: Sequence[Tool]) -> Tool:
    return next(tool for tool in tools if tool.spec.name == request.param)


def test_a_model_is_told_what_it_needs(tool: Tool):
    schema = json.loads(bytes(tool.spec.parameters))
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert tool.spec.description
    assert tool.spec.owner == "server"
    assert tool.emoji
    assert all(field["description"] for field in schema["properties"].values())
    assert "$ref" not in str(schema)


values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.lists(st.text(max_size=3))
    # Text never is a command that does anything: a shell has no command of that name.
    | st.text(max_size=5).map("#".__add__)
)
FIELDS = (
    *("path", "content", "offset", "limit", "depth", "timeout", "folder", "action", "id"),
    *("command", "background", "screen", "data", "enter"),
)
objects = st.dictionaries(st.sampled_from(FIELDS) | st.text(), values)
given_arguments = st.text() | objects.map(json.dumps) | values.map(json.dumps)


@given(arguments=given_arguments)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
async def test_any_arguments_give_output_or_a_tool_error(tool: Tool, arguments: str):
    assert tool.label(arguments).isprintable()
    lane = tool.lane(arguments)
    assert lane is None or isinstance(lane, str)
    try:
        output = await tool.call(arguments, Watcher())
    except ToolError as error:
        output = ToolOutput(str(error), "error")
    assert output.text
    output.text.encode()


ODD_PATHS = ["a\0b", "..", "/", "x/" * 5000, "y" * 5000, "~/x", "a\nb", "\u202e", "-rf", "*"]


@pytest.mark.parametrize("path", ODD_PATHS)
async def test_odd_paths_give_output_or_a_tool_error(tools: Sequence[Tool], path: str):
    named = {tool.spec.name: tool for tool in tools}
    for name, more in (("read_file", {}), ("write_file", {"content": "x"}), ("list_files", {})):
        tool = named[name]
        try:
            output = await tool.call(json.dumps({"path": path, **more}), Watcher())
        except ToolError as error:
            output = ToolOutput(str(error), "error")
        assert output.outcome == "ok" or len(output.text) < 1000


VERBS = (("read", ""), ("write", ""), ("list", "s"))


async def test_what_one_tool_writes_the_others_see(tools: Sequence[Tool]):
    named = {tool.spec.name: tool for tool in tools}
    reading, writing, listing = (named[f"{verb}_file{s}"] for verb, s in VERBS)
    watcher = Watcher()
    await writing.call('{"path": "a/b.txt", "content": "hello\\n"}', watcher)
    read, listed = await asyncio.gather(
        reading.call('{"path": "a/b.txt"}', watcher),
        listing.call('{"depth": 2}', watcher),
    )
    assert read.text == "hello\n"
    assert listed.text == "a/\na/b.txt  6"
