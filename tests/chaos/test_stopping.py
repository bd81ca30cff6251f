"""SIGTERM: what is under way has its time, and every stream ends with where it goes on."""

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.chaos.ledger import Ledger
from tests.chaos.readers import check, only, outcomes
from tests.support.following import eventually, reached, started
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted
from tests.support.talk import Talk, talking

pytestmark = pytest.mark.timeout(300)

SLOWLY = {"when": "slowly", "repeat": True, "pace": 0.08, "text": "word " * 40}
CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"
# Enough to know that a stream is in the middle of its text.
SOME = 8


def impatient(drain: float) -> str:
    return f"[server]\ndrain = {drain}\n"


class Heard:
    """One stream: its frames so far, without comments, each as its name and its data."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.frames: list[tuple[str | None, str]] = []

    async def listen(self, client: Client, path: str, body: Any = None) -> "Heard":
        method = "GET" if body is None else "POST"
        async with client.open(method, path, body) as reader:
            assert reader.status == 200, await reader.read()
            async for frame in reader.frames():
                if frame.comment is None:
                    self.frames.append((frame.event, frame.data))
        return self

    async def talk(self, stage: Scripted) -> None:
        """The same over a WebSocket, whose messages are the data of a stream."""
        async with talking(stage.server.url, stage.server.key) as one:
            await one.say(input="slowly")
            with pytest.raises(ConnectionClosed) as closed:
                await self._take_all(one)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012

    async def _take_all(self, one: Talk) -> None:
        while True:
            text = str(await one.socket.recv())
            kind = re.match(r'\{"type":"([^"]+)"', text)
            assert kind is not None
            self.frames.append((kind[1], text))

    @property
    def where(self) -> str:
        """Where the last words say that the rest is."""
        words = "\n".join(data for _, data in self.frames[-2:])
        found = re.search(r"the rest is at GET ([^\s,]+?)[.,](?:\s|\")", words)
        assert found is not None, words
        return found[1]


def whole_of(heard: Heard) -> str:
    """The same stream from its first byte, for whoever comes later."""
    path, _, query = heard.where.partition("?")
    kept = [pair for pair in query.split("&") if not pair.startswith(("after=", "starting_after="))]
    return f"{path}?{'&'.join(kept)}"


def listeners(client: Client, stage: Scripted, runs: Sequence[str]) -> dict[Heard, Any]:
    """A reader on every surface that shows a run, and what makes it listen."""
    question = [{"role": "user", "content": "slowly"}]
    chat = {"messages": question, "stream": True, "stream_options": {"include_usage": True}}
    response = {"input": "slowly", "stream": True}
    events = [f"/v1/runs/{run_id}/events" for run_id in runs]
    asked: dict[str, tuple[str, Any]] = {
        "runs": (events[0], None),
        "as chat": (f"{events[1]}?as=chat", None),
        "as responses": (f"{events[2]}?as=responses", None),
        "chat": (CHAT, chat),
        "responses": (RESPONSES, response),
        "unstored": (RESPONSES, {**response, "store": False}),
    }
    heard = {name: Heard(name) for name in (*asked, "socket")}
    found: dict[Heard, Any] = {
        heard[name]: heard[name].listen(client, *wanted) for name, wanted in asked.items()
    }
    return {**found, heard["socket"]: heard["socket"].talk(stage)}


async def test_every_stream_says_where_it_goes_on_and_there_is_exactly_the_rest(
    tmp_path: Path, ledger: Ledger
) -> None:
    with scripted(tmp_path, impatient(1)) as stage:
        stage.script(SLOWLY)
        async with stage.client() as client:
            runs = [await started(client, {"input": "slowly"}) for _ in range(3)]
            feed = Heard("feed")
            work = {**listeners(client, stage, runs), feed: feed.listen(client, "/api/feed")}
            listening = asyncio.gather(*work.values())
            streams = [heard for heard in work if heard is not feed]
            await eventually(lambda: in_the_middle(streams))
            assert await asyncio.to_thread(stage.server.stop) == 0
            await listening
        assert "Traceback" not in stage.server.stderr
        stage.server.start()
        async with stage.client() as client:
            await asyncio.gather(*(check_rest(client, heard, ledger) for heard in streams))
            await check_feed(client, feed)
            ledger.count("streams told where they go on", len(work))
        assert "Traceback" not in stage.server.stderr


async def in_the_middle(streams: Sequence[Heard]) -> bool:
    return all(len(heard.frames) >= SOME for heard in streams)


async def check_rest(client: Client, heard: Heard, ledger: Ledger) -> None:
    """What was shown and the rest are the whole, with nothing between them but the last words."""
    rest = (await Heard("rest").listen(client, heard.where)).frames
    whole = (await Heard("whole").listen(client, whole_of(heard))).frames
    shown = len(whole) - len(rest)
    assert SOME <= shown < len(whole), heard.name
    assert heard.frames[:shown] == whole[:shown], heard.name
    assert rest == whole[shown:], heard.name
    assert last_words(heard.frames[shown:]) == LAST[heard.name], heard.name
    ledger.count("frames shown before", shown)
    ledger.count("frames of the rest", len(rest))


async def check_feed(client: Client, feed: Heard) -> None:
    name, data = feed.frames[-1]
    assert name == "server.stopping"
    async with client.open("GET", json.loads(data)["resume"]) as reader:
        frames = reader.frames()
        await anext(frames)
        run_id = await started(client, {"input": "hello"})
        assert (await anext(frames)).json["run_id"] == run_id


def last_words(frames: list[tuple[str | None, str]]) -> list[str]:
    """What stands behind the last event of the run, but for items that are closed."""
    kinds = [name or ("error" if '"error"' in data else data) for name, data in frames]
    return [kind for kind in kinds if not kind.endswith(".done")]


LAST = {
    "runs": ["server.stopping"],
    "as chat": ["error", "[DONE]"],
    "chat": ["error", "[DONE]"],
    "as responses": ["response.failed", "[DONE]"],
    "responses": ["response.failed", "[DONE]"],
    "unstored": ["response.failed", "[DONE]"],
    "socket": ["error"],
}


async def test_calls_under_way_have_their_time_whether_anybody_reads_or_not(
    tmp_path: Path, ledger: Ledger
) -> None:
    with scripted(tmp_path, impatient(15)) as stage:
        runs = await working(stage, "sleep 1; echo done >> deeds")
        assert await asyncio.to_thread(stage.server.stop) == 0
        assert deeds(stage) == len(runs)
        stage.server.start()
        for events in await logs(stage, runs):
            assert set(outcomes(events).values()) == {"ok"}
            # It came to its end before the server did.
            assert not only(events, "notice")
        ledger.count("runs brought to their end", len(runs))
        assert "Traceback" not in stage.server.stderr


async def test_calls_that_take_longer_are_in_doubt_and_not_made_again(
    tmp_path: Path, ledger: Ledger
) -> None:
    with scripted(tmp_path, impatient(1)) as stage:
        runs = await working(stage, "echo done >> deeds; sleep 300")
        assert await asyncio.to_thread(stage.server.stop) == 0
        stage.server.start()
        for events in await logs(stage, runs):
            assert set(outcomes(events).values()) == {"in_doubt"}
        assert deeds(stage) == len(runs)
        ledger.count("calls in doubt", len(runs))
        ledger.count("calls done twice", deeds(stage) - len(runs))
        assert "Traceback" not in stage.server.stderr


async def working(stage: Scripted, command: str) -> list[str]:
    """Runs that nobody reads, each in the middle of a command."""
    async with stage.client() as client:
        runs = [await started(client, {"input": f"`{command}`"}) for _ in range(3)]
        for run_id in runs:
            await reached(client, run_id, "tool.started")
    return runs


async def logs(stage: Scripted, runs: list[str]) -> list[list[dict[str, Any]]]:
    """All events of each, to its end."""
    found: list[list[dict[str, Any]]] = []
    async with stage.client() as client:
        for run_id in runs:
            path = f"/v1/runs/{run_id}/events"
            events = [f.json async for f in client.stream(path) if f.comment is None]
            check(events)
            assert events[-1]["event"] == "run.completed"
            found.append(events)
    return found


def deeds(stage: Scripted) -> int:
    file = stage.server.home / "workspace" / "deeds"
    return len(file.read_text().split()) if file.exists() else 0
