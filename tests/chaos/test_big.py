"""Much of one thing: what a command prints, the events of a run, the runs of a store."""

import asyncio
import random
import re
import sqlite3
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.lines import UNWRITTEN_BYTES
from angelia.adapters.sqlite.sessions import SqliteSessions
from angelia.adapters.sqlite.store import SqliteExpired, SqliteRuns
from angelia.adapters.sqlite.usage import SqliteUsage
from angelia.adapters.system_clock import SystemClock
from angelia.ports import RunFilter, SessionFilter, UsageFilter
from angelia.tools.live import LIVE_LIMIT
from angelia.tools.transcript import KEPT
from tests.chaos.ledger import Ledger
from tests.chaos.readers import check
from tests.chaos.stores import Steps, fill, home_database, tenant_of
from tests.chaos.vitals import MB, cpu, peak_rss, rss
from tests.conftest import StartServer
from tests.support.following import ended, started
from tests.support.http import Client, Frame
from tests.support.scripted import Scripted, scripted
from tests.support.server import AngeliaServer

pytestmark = pytest.mark.timeout(600)


# ── a command that prints without end ───────────────────────────────────────────────────────


async def test_a_command_may_print_more_than_anybody_keeps(
    server: AngeliaServer, ledger: Ledger, *, long: bool
) -> None:
    printed = (1024 if long else 64) * MB
    async with Client(server.url, server.key) as client:
        await ended(client, await started(client, {"input": "`echo loaded`"}))
        before, worked = rss(server.pid), cpu(server.pid)
        run_id = await started(client, {"input": f"`yes | head -c {printed}`"})
        seen = [f.json async for f in client.stream(f"/v1/runs/{run_id}/events") if f.id]
        worked, grown = cpu(server.pid) - worked, peak_rss(server.pid) - before
        (call,) = [event for event in seen if event["event"] == "tool.completed"]
        path = f"/v1/runs/{run_id}/tools/{call['tool_call_id']}/output"
        whole = (await client.get(path)).body
        first = await client.get(path, Range="bytes=0-999")
        last = await client.get(path, Range="bytes=-1000")

    shown = sum(len(e["delta"].encode()) for e in seen if e["event"] == "tool.output")
    ledger.count("bytes printed", printed)
    ledger.count("bytes shown live", shown)
    ledger.count("bytes kept", len(whole))
    ledger.count("events", len(seen))
    ledger.say("memory it took", f"{grown / MB:.0f} MB")
    ledger.say("CPU of the server", f"{worked:.2f} s")
    check(seen)
    assert (call["outcome"], call["truncated"]) == ("ok", True)
    assert shown <= LIVE_LIMIT + 100
    assert len(seen) < 500
    assert whole.startswith(b"y\n" * 1000)
    assert whole.endswith(b"y\n" * 1000)
    assert kept_and_left_out(whole) == (KEPT, printed - KEPT)
    assert (first.status, first.body) == (206, whole[:1000])
    assert (last.status, last.body) == (206, whole[-1000:])
    assert grown < 48 * MB


def kept_and_left_out(whole: bytes) -> tuple[int, int]:
    """What stands around the note in the middle, and what the note says is missing."""
    note = re.search(rb"\n\[\xe2\x80\xa6 ([\d,]+) bytes left out \xe2\x80\xa6\]\n", whole)
    assert note is not None
    return len(whole) - len(note[0]), int(note[1].replace(b",", b""))


# ── a run of many events ────────────────────────────────────────────────────────────────────


async def test_a_run_of_many_events_is_read_again_as_it_was_seen_live(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    # What arrives together is one event, so there are fewer than words.
    words, least = (20_000, 10_000) if long else (1_500, 500)
    text = " ".join(f"word{number}" for number in range(words))
    with scripted(tmp_path) as stage:
        stage.script({"text": text, "when": "all of it", "repeat": True, "pace": 0.001})
        async with stage.client() as client:
            told = await asyncio.gather(*(seen_live(client, each) for each in ASKING))
            for protocol, (live, run_id) in zip(ASKING, told, strict=True):
                assert len(live) > least
                assert said(live) == text
                place = f"/v1/runs/{run_id}/events" + (f"?as={protocol}" if protocol else "")
                assert await frames_of(client, place) == live, protocol
                ledger.count("frames seen live and again", len(live))
                log = await frames_of(client, f"/v1/runs/{run_id}/events")
                for cursor in random.Random(7).sample(range(1, least), 20 if long else 5):
                    rest = await frames_of(client, place, cursor)
                    assert rest == live[-len(rest) :], (protocol, cursor)
                    assert said(rest) == said(log[cursor:]), (protocol, cursor)
                    ledger.count("cursors resumed from", 1)


QUESTION = [{"role": "user", "content": "all of it"}]
ASKING = {
    "": ("/v1/runs", {"input": "all of it"}),
    "chat": (
        "/v1/chat/completions",
        {"messages": QUESTION, "stream": True, "stream_options": {"include_usage": True}},
    ),
    "responses": ("/v1/responses", {"input": QUESTION, "stream": True}),
}


async def seen_live(client: Client, protocol: str) -> tuple[list[Frame], str]:
    """All frames of a run as whoever started it has them, and its id."""
    path, body = ASKING[protocol]
    if path == "/v1/runs":
        run_id = await started(client, body)
        return await frames_of(client, f"/v1/runs/{run_id}/events"), run_id
    async with client.open("POST", path, body) as reader:
        assert reader.status == 200, await reader.read()
        frames = [frame async for frame in reader.frames() if frame.comment is None]
        return frames, reader.headers["X-Angelia-Run-Id"]


async def frames_of(client: Client, path: str, after: int = 0) -> list[Frame]:
    seen = {"Last_Event_ID": str(after)} if after else {}
    return [frame async for frame in client.stream(path, **seen) if frame.comment is None]


def said(frames: list[Frame]) -> str:
    """The text of all deltas, in whichever protocol."""
    return "".join(_delta(frame.json) for frame in frames if frame.data != "[DONE]")


def _delta(event: dict[str, Any]) -> str:
    if "choices" in event:
        return "".join(choice["delta"].get("content") or "" for choice in event["choices"])
    kind = event.get("event") or event["type"]
    return event["delta"] if kind in ("message.delta", "response.output_text.delta") else ""


# ── a model that is faster than the disk ────────────────────────────────────────────────────


class SlowDisk:
    """Takes the database's lock away from the writer, again and again, as a slow disk would."""

    HELD, FREE = 0.25, 0.15

    def __init__(self, database: Path) -> None:
        self._database = database
        self.holds = 0

    async def go(self) -> None:
        connection = sqlite3.connect(
            self._database, timeout=30, isolation_level=None, check_same_thread=False
        )
        try:
            while True:
                await asyncio.to_thread(connection.execute, "begin immediate")
                self.holds += 1
                await asyncio.sleep(self.HELD)
                connection.execute("rollback")
                await asyncio.sleep(self.FREE)
        finally:
            connection.close()


async def test_a_model_that_is_faster_than_the_disk_waits_for_it(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    runs, words = (20, 100_000) if long else (6, 20_000)
    text = " ".join(f"word{number}" for number in range(words))
    with scripted(tmp_path) as stage:
        stage.script({"text": text, "when": "fast", "repeat": True})
        async with stage.client() as client:
            await ended(client, await started(client, {"input": "hello"}))
            before = rss(stage.server.pid)
            disk = SlowDisk(home_database(stage.server.home))
            holding = asyncio.create_task(disk.go())
            told = await asyncio.gather(*(fast_run(stage) for _ in range(runs)))
            holding.cancel()
            await asyncio.wait((holding,))
        grown = peak_rss(stage.server.pid) - before

    ledger.count("runs", runs)
    ledger.count("times the disk stood still", disk.holds)
    ledger.count("characters streamed", len(text) * runs)
    ledger.count("runs that lack a part", sum(each != text for each in told))
    ledger.say("memory it took", f"{grown / MB:.0f} MB")
    assert all(each == text for each in told)
    assert disk.holds > 1
    # What is unwritten, what the writer holds of it, and each answer as a whole, a few times.
    assert grown < runs * (12 * UNWRITTEN_BYTES + 12 * len(text)) + 32 * MB


async def fast_run(stage: Scripted) -> str:
    async with stage.client() as client:
        run_id = await started(client, {"input": "fast"})
        seen = [f.json async for f in client.stream(f"/v1/runs/{run_id}/events") if f.id]
    check(seen)
    assert seen[-1]["event"] == "run.completed"
    return "".join(event["delta"] for event in seen if event["event"] == "message.delta")


# ── a store of many runs ────────────────────────────────────────────────────────────────────

FEW = 100
PATHS = (
    "/v1/runs?limit=20",
    "/v1/runs?status=completed,failed",
    "/v1/runs?model=rare",
    "/v1/runs?surface=chat",
    "/v1/runs?session_id=sess_3&status=completed",
    "/v1/runs/run_7",
    "/api/sessions",
    "/api/sessions?user=user3",
    "/api/sessions/search?q=number7+today",
    "/api/usage",
)
ROUNDS = 10


async def test_lists_and_start_up_do_not_grow_with_the_store(
    start_server: StartServer, ledger: Ledger, *, long: bool
) -> None:
    many = 10_000 if long else 2_000
    small, large = start_server(), start_server()
    for server, runs in ((small, FEW), (large, many)):
        server.stop()
        await fill(server.home, runs)
    few_steps, many_steps = await steps_in(small.home), await steps_in(large.home)
    few, lots = await worked(small), await worked(large)

    ledger.count("runs in the store", many)
    ledger.say(f"CPU until ready, {FEW} runs → {many:,}", f"{few[0]:.2f} → {lots[0]:.2f} s")
    requests = len(PATHS) * ROUNDS
    per = f"CPU per request, {FEW} runs → {many:,}"
    ledger.say(per, f"{few[1] / requests * 1e3:.2f} → {lots[1] / requests * 1e3:.2f} ms")
    assert {
        name: taken for name, taken in many_steps.items() if taken > 2 * few_steps[name] + 300
    } == {}
    assert lots[0] <= 1.5 * few[0] + 0.3
    assert lots[1] <= 3 * few[1] + 0.3


async def worked(server: AngeliaServer) -> tuple[float, float]:
    """CPU seconds from the start to the first answer, and for some rounds of lists."""
    server.start()
    begun = cpu(server.pid)
    async with Client(server.url, server.key) as client:
        for path in PATHS * ROUNDS:
            answer = await client.get(path)
            assert answer.status == 200, (path, answer.body)
        await assert_right(client)
    return begun, cpu(server.pid) - begun


async def assert_right(client: Client) -> None:
    newest = (await client.get("/v1/runs?limit=20")).json
    assert (len(newest["data"]), newest["has_more"]) == (20, True)
    assert [run["run_id"] for run in (await client.get("/v1/runs?model=rare")).json["data"]] == [
        "run_0"
    ]
    found = (await client.get("/api/sessions/search?q=number7+today")).json["data"]
    assert "run_7" in [hit["run_id"] for hit in found]


async def steps_in(home: Path) -> dict[str, int]:
    """What SQLite does for each of the lists, and for what is asked at a start and in the rest."""
    tenant = tenant_of(home)
    database = Database.open(home_database(home), clock=SystemClock())
    steps = Steps(database)
    await steps.watch()
    taken = {name: await steps.of(asking) for name, asking in asked(database, tenant).items()}
    await database.close()
    return taken


def asked(database: Database, tenant: str) -> dict[str, Awaitable[object]]:
    runs, sessions = SqliteRuns(database), SqliteSessions(database)
    usage, expired = SqliteUsage(database), SqliteExpired(database)
    listed = {
        "newest": RunFilter(tenant, seeds=False),
        "next page": RunFilter(tenant, seeds=False, before="run_90"),
        "a status": RunFilter(tenant, seeds=False, statuses=("failed",)),
        "statuses": RunFilter(tenant, seeds=False, statuses=("completed", "running")),
        "a session": RunFilter(tenant, seeds=False, session_id="sess_3"),
        "a session's": RunFilter(tenant, session_id="sess_3", statuses=("completed",)),
        "a model": RunFilter(tenant, seeds=False, model="rare"),
        "a surface": RunFilter(tenant, seeds=False, surface="chat"),
        "no delegated ones": RunFilter(tenant, seeds=False, delegated=False),
    }
    return {
        **{name: runs.find(wanted) for name, wanted in listed.items()},
        "one run": runs.get("run_7"),
        "unfinished runs": runs.unfinished(),
        "sessions": sessions.find(SessionFilter(tenant, limit=20)),
        "more sessions": sessions.find(SessionFilter(tenant, before="sess_20", limit=20)),
        "sessions of a user": sessions.find(SessionFilter(tenant, user="user3")),
        "usage": usage.find(UsageFilter(0, 2**31, tenant)),
        "latencies": usage.latencies(UsageFilter(0, 2**31, tenant)),
        "runs whose time is over": expired.over(5.0, stored=True),
        "runs not to be stored": expired.over(5.0, stored=False),
    }
