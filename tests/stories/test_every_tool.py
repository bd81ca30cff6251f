"""Every tool there is, on every surface there is: one start and one end each, told in order."""

import asyncio
import json
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from msgspec import Struct

from tests.stories.test_chat import CHAT, ask, chunks, content, progress
from tests.stories.test_responses import PATH as RESPONSES
from tests.stories.test_runs import check, events, start
from tests.stories.test_terminal import call, check_calls
from tests.support.http import Client, Frame
from tests.support.mcp import odd
from tests.support.process import ANGELIA
from tests.support.server import AngeliaServer
from tests.support.talk import talking
from tests.surfaces.mcp.talking import talk

Event = dict[str, Any]

SKILL = "---\nname: greet\ndescription: How to greet.\n---\nSay good morning.\n"
FOUND = {"results": [{"title": "Sea", "url": "https://sea.example/", "content": "Blue."}]}


class Step(Struct, frozen=True):
    """One end or the other of a call, as a surface tells it."""

    kind: str
    tool: str
    call_id: str
    ok: bool = True


class Told(Struct, frozen=True):
    """What one surface says of a run in which every tool is called, and its log."""

    run_id: str
    steps: tuple[Step, ...]
    text: str
    log: tuple[Event, ...]


# ── a server with every tool ────────────────────────────────────────────────────────────────


class Web(BaseHTTPRequestHandler):
    """A page, and an engine that answers as SearXNG does."""

    def do_GET(self) -> None:
        search = self.path.startswith("/search")
        body = json.dumps(FOUND).encode() if search else b"<h1>News</h1><p>All is well."
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if search else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- as it is called
        pass


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Web) as site:
        serving = threading.Thread(target=site.serve_forever)
        serving.start()
        yield f"127.0.0.1:{site.server_port}"
        site.shutdown()
        serving.join()


class Stage(Struct, frozen=True):
    server: AngeliaServer
    web: str
    told: dict[str, Told | BaseException]

    def client(self) -> Client:
        return Client(self.server.url, self.server.key)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, web: str) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("every-tool")
    mcp = folder / "mcp.json"
    served = odd(folder / "odd", tools=["echo", "write", "post"])
    mcp.write_text(json.dumps({"mcpServers": {"odd": served}}))
    server = AngeliaServer(folder, {"ANGELIA_MCP_CONFIG": str(mcp)})
    (server.home / "angelia.toml").write_text(
        f'[web]\nallow_private = ["{web}"]\nsearch = "searxng"\nsearch_url = "http://{web}"\n'
    )
    skill = server.home / "skills" / "greet"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(SKILL)
    (server.home / "workspace").mkdir()
    (server.home / "workspace" / "notes.txt").write_text("one\ntwo\n")
    server.start()
    yield Stage(server, web, {})
    server.kill()


# ── what every tool is asked to do ──────────────────────────────────────────────────────────

Example = Callable[[str, str, str], dict[str, Any]]

# By the address of the web, a word that no other run uses, and a result that was cut.
EXAMPLES: dict[str, Example] = {
    "terminal": lambda web, word, cut: {"command": "echo one; echo two >&2; echo three"},
    "process": lambda web, word, cut: {"action": "list"},
    "read_file": lambda web, word, cut: {"path": "notes.txt"},
    "write_file": lambda web, word, cut: {"path": f"written-{word}.txt", "content": word},
    "patch": lambda web, word, cut: {"edits": [{"path": f"patched-{word}.txt", "new": word}]},
    "search_files": lambda web, word, cut: {"pattern": "two"},
    "list_files": lambda web, word, cut: {"path": "."},
    "read_output": lambda web, word, cut: {"of": cut, "offset": 40_000, "limit": 100},
    "delegate": lambda web, word, cut: {"tasks": [{"goal": "Run `echo from the child`"}]},
    "web_fetch": lambda web, word, cut: {"url": f"http://{web}/news"},
    "web_search": lambda web, word, cut: {"query": "sea"},
    "memory": lambda web, word, cut: {"action": "add", "text": f"Likes {word}."},
    "session_search": lambda web, word, cut: {"query": "seq"},
    "skill": lambda web, word, cut: {"name": "greet"},
    "schedule": lambda web, word, cut: {
        "action": "create",
        "schedule": "2099-01-01T00:00:00Z",
        "task": f"Say {word}",
    },
    "mcp__odd__echo": lambda web, word, cut: {"say": word},
    "mcp__odd__write": lambda web, word, cut: {"say": word},
    "mcp__odd__post": lambda web, word, cut: {"say": word},
}
# Those that show something while they work.
LIVE = ("terminal", "delegate")


async def test_the_examples_are_of_exactly_the_tools_there_are(stage: Stage) -> None:
    async with stage.client() as client:
        listed = (await client.get("/v1/tools")).json["data"]
    assert sorted(tool["name"] for tool in listed) == sorted(EXAMPLES)


async def wishes(stage: Stage, client: Client, word: str) -> str:
    """A message that makes the demo model call every tool in one reply."""
    seen = await events(client, await start(client, "`seq 20000`", session_id=f"cut-{word}"))
    (cut,) = [event for event in seen if event["event"] == "tool.completed"]
    of = f"{cut['run_id']}/{cut['tool_call_id']}"
    given = {name: make(stage.web, word, of) for name, make in EXAMPLES.items()}
    return ", ".join(call(name, **arguments) for name, arguments in given.items())


# ── the surfaces ────────────────────────────────────────────────────────────────────────────

Answered = tuple[str, list[Step], str]


def of_events(seen: list[Event]) -> list[Step]:
    kinds = {"tool.started": "start", "tool.completed": "end"}
    return [
        Step(kinds[e["event"]], e["tool"], e["tool_call_id"], e.get("outcome", "ok") == "ok")
        for e in seen
        if e["event"] in kinds
    ]


def said_in(seen: list[Event]) -> str:
    return "".join(e["text"] for e in seen if e["event"] == "message.completed")


def of_progress(told: list[Event]) -> list[Step]:
    kinds = {"running": "start", "completed": "end"}
    return [
        Step(kinds[e["status"]], e["tool"], e["toolCallId"], e.get("outcome", "ok") == "ok")
        for e in told
    ]


async def runs(stage: Stage, client: Client, text: str) -> Answered:
    run_id = await start(client, text)
    seen = await events(client, run_id)
    return run_id, of_events(seen), said_in(seen)


async def chatted(client: Client, text: str, dialect: str) -> tuple[str, list[Frame]]:
    headers = {"X-Angelia-Tool-Events": dialect}
    async with client.open("POST", CHAT, ask(text, stream=True), headers) as reader:
        assert reader.status == 200
        frames = [frame async for frame in reader.frames() if frame.comment is None]
        return reader.headers["X-Angelia-Run-Id"], frames


def calls_nothing(frames: list[Frame]) -> None:
    """A client would execute what is in `tool_calls`."""
    for chunk in chunks(frames):
        for choice in chunk["choices"]:
            assert "tool_calls" not in choice["delta"]


async def chat_named(stage: Stage, client: Client, text: str) -> Answered:
    run_id, frames = await chatted(client, text, "named")
    calls_nothing(frames)
    return run_id, of_progress(progress(frames)), content(frames)


async def chat_carrier(stage: Stage, client: Client, text: str) -> Answered:
    run_id, frames = await chatted(client, text, "carrier")
    calls_nothing(frames)
    carried = [c["hermes.tool.progress"] for c in chunks(frames) if "hermes.tool.progress" in c]
    return run_id, of_progress(carried), content(frames)


async def chat_openwebui(stage: Stage, client: Client, text: str) -> Answered:
    run_id, frames = await chatted(client, text, "openwebui")
    carrying = [c for c in chunks(frames) if "hermes.tool.progress" in c]
    for chunk in carrying:
        done = chunk["hermes.tool.progress"]["status"] == "completed"
        assert chunk["event"]["data"]["done"] is done
    return run_id, of_progress([c["hermes.tool.progress"] for c in carrying]), content(frames)


async def chat_whole(stage: Stage, client: Client, text: str) -> Answered:
    answer = await client.post(CHAT, ask(text))
    assert answer.status == 200
    run_id = answer.headers["X-Angelia-Run-Id"]
    (choice,) = answer.json["choices"]
    assert not choice["message"].get("tool_calls")
    return run_id, of_events(await events(client, run_id)), choice["message"]["content"]


def of_items(seen: list[Event]) -> list[Step]:
    """Either dialect; every item that is added is done, once."""
    added = [e["item"]["id"] for e in seen if e["type"] == "response.output_item.added"]
    done = [e["item"]["id"] for e in seen if e["type"] == "response.output_item.done"]
    assert len(set(added)) == len(added) == len(done)
    assert set(added) == set(done)
    steps: list[Step] = []
    names: dict[str, str] = {}
    for event in seen:
        item, behind = event.get("item", {}), event["type"].rpartition(".")[2]
        match item.get("type"), behind:
            case (("function_call" | "mcp_call"), "added"):
                names[call_of(item)] = item["name"]
                steps.append(Step("start", item["name"], call_of(item)))
            case "function_call_output", "done":
                name, ok = names[call_of(item)], item["status"] == "completed"
                steps.append(Step("end", name, call_of(item), ok))
            case "mcp_call", "done":
                ok = item["status"] == "completed" and item["error"] is None
                steps.append(Step("end", item["name"], call_of(item), ok))
            case _:
                pass
    return steps


def call_of(item: Event) -> str:
    return item.get("call_id") or item["id"]


def messages_of(response: Event) -> str:
    return "".join(
        part["text"]
        for item in response["output"]
        if item["type"] == "message"
        for part in item["content"]
    )


async def responded(client: Client, text: str, dialect: str) -> Answered:
    body = {"model": "angelia", "input": text, "stream": True}
    headers = {"X-Angelia-Tool-Items": dialect}
    async with client.open("POST", RESPONSES, body, headers) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
        seen = [f.json async for f in reader.frames() if f.comment is None and f.data != "[DONE]"]
    assert seen[-1]["type"] == "response.completed"
    return run_id, of_items(seen), messages_of(seen[-1]["response"])


async def responses_pair(stage: Stage, client: Client, text: str) -> Answered:
    return await responded(client, text, "pair")


async def responses_mcp(stage: Stage, client: Client, text: str) -> Answered:
    return await responded(client, text, "mcp")


async def responses_whole(stage: Stage, client: Client, text: str) -> Answered:
    answer = await client.post(RESPONSES, {"model": "angelia", "input": text})
    run_id = answer.headers["X-Angelia-Run-Id"]
    kinds = [item["type"] for item in answer.json["output"]]
    assert kinds.count("function_call") == kinds.count("function_call_output") == len(EXAMPLES)
    return run_id, of_events(await events(client, run_id)), messages_of(answer.json)


async def websocket(stage: Stage, client: Client, text: str) -> Answered:
    async with talking(stage.server.url, stage.server.key) as socket:
        seen = await socket.ask(model="angelia", input=text)
    assert seen[-1]["type"] == "response.completed"
    run_id = seen[0]["response"]["id"].replace("resp_", "run_")
    return run_id, of_items(seen), messages_of(seen[-1]["response"])


async def as_chat(stage: Stage, client: Client, text: str) -> Answered:
    run_id = await start(client, text)
    headers = {"X-Angelia-Tool-Events": "named"}
    path = f"/v1/runs/{run_id}/events?as=chat"
    async with client.open("GET", path, headers=headers) as reader:
        frames = [frame async for frame in reader.frames() if frame.comment is None]
    return run_id, of_progress(progress(frames)), content(frames)


async def as_responses(stage: Stage, client: Client, text: str) -> Answered:
    run_id = await start(client, text)
    told = client.stream(f"/v1/runs/{run_id}/events?as=responses")
    seen = [f.json async for f in told if f.comment is None and f.data != "[DONE]"]
    return run_id, of_items(seen), messages_of(seen[-1]["response"])


async def command_line(stage: Stage, client: Client, text: str) -> Answered:
    ran = await asyncio.to_thread(
        subprocess.run,
        [*ANGELIA, "run", "--json", text],
        env=stage.server.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=True,
    )
    seen = [json.loads(line) for line in ran.stdout.splitlines()]
    return seen[0]["run_id"], of_events(seen), said_in(seen)


async def mcp_server(stage: Stage, client: Client, text: str) -> Answered:
    async with talk(stage.server.env) as place:
        told = await place.ask("start_run", input=text, wait=60)
    seen = told["events"]
    return told["run"]["run_id"], of_events(seen), told["run"]["output"]


Surface = Callable[[Stage, Client, str], Awaitable[Answered]]
SURFACES: dict[str, Surface] = {
    "runs": runs,
    "chat, named": chat_named,
    "chat, carrier": chat_carrier,
    "chat, openwebui": chat_openwebui,
    "chat, whole": chat_whole,
    "responses, pair": responses_pair,
    "responses, mcp": responses_mcp,
    "responses, whole": responses_whole,
    "websocket": websocket,
    "as chat": as_chat,
    "as responses": as_responses,
    "command line": command_line,
    "mcp server": mcp_server,
}


async def answered(stage: Stage, name: str, turns: asyncio.Semaphore) -> Told:
    async with turns, stage.client() as client:
        text = await wishes(stage, client, name.replace(", ", "-").replace(" ", "-"))
        run_id, steps, said = await SURFACES[name](stage, client, text)
        return Told(run_id, tuple(steps), said, tuple(await events(client, run_id)))


@pytest.fixture(params=SURFACES)
async def told(request: pytest.FixtureRequest, stage: Stage) -> Told:
    """All surfaces are asked at once, and once for all tests."""
    if not stage.told:
        turns = asyncio.Semaphore(5)
        everything = (answered(stage, name, turns) for name in SURFACES)
        came = await asyncio.gather(*everything, return_exceptions=True)
        stage.told.update(zip(SURFACES, came, strict=True))
    given = stage.told[request.param]
    if isinstance(given, BaseException):
        raise given
    return given


# ── what they tell ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("tool", EXAMPLES)
async def test_a_call_has_one_start_and_behind_it_one_end(told: Told, tool: str) -> None:
    (done,) = [e for e in told.log if e["event"] == "tool.completed" and e["tool"] == tool]
    start, end = [step for step in told.steps if step.tool == tool]
    assert (start.kind, end.kind) == ("start", "end")
    assert start.call_id == end.call_id
    # Items of MCP calls have ids of their own.
    assert start.call_id == done["tool_call_id"] or start.call_id.startswith("mcp_")
    assert (done["outcome"], end.ok) == ("ok", True), done["output"]


async def test_all_calls_are_told_in_the_order_in_which_they_began_and_ended(told: Told) -> None:
    happened = of_events(list(told.log))
    for kind in ("start", "end"):
        assert [step.tool for step in told.steps if step.kind == kind] == [
            step.tool for step in happened if step.kind == kind
        ]
    assert len(told.steps) == 2 * len(EXAMPLES)


async def test_the_text_is_what_the_model_said_and_nothing_of_the_tools(told: Told) -> None:
    assert told.text == said_in(list(told.log))
    assert f"I made {len(EXAMPLES)} tool calls; all went well." in told.text
    for hint in ("tool.progress", "toolCallId", *(step.call_id for step in told.steps)):
        assert hint not in told.text


async def test_output_is_live_with_offsets_that_rise(told: Told) -> None:
    log = list(told.log)
    check(log)
    check_calls(log)
    ids = {e["tool_call_id"]: e["tool"] for e in log if e["event"] == "tool.started"}
    shown = {ids[e["tool_call_id"]] for e in log if e["event"] == "tool.output"}
    assert shown >= set(LIVE)
