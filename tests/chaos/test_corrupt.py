"""Databases with garbage in them: refused in one line, and brought back as far as can be read."""

import asyncio
import random
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.chaos.ledger import Ledger
from tests.chaos.readers import Event, check
from tests.support.following import ended, eventually, started
from tests.support.http import Client
from tests.support.process import ANGELIA, NotReady
from tests.support.server import AngeliaServer

pytestmark = pytest.mark.timeout(300)

PAGE = 4096
RUNS = 24
PROMPT = "say `echo {n}` and long 40"
Damage = Callable[[Path, random.Random], None]


def overwrite(path: Path, at: int, garbage: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(garbage)


def header(path: Path, chance: random.Random) -> None:
    overwrite(path, 0, chance.randbytes(100))


def first_page(path: Path, chance: random.Random) -> None:
    overwrite(path, 0, chance.randbytes(PAGE))


def pages_of(path: Path, name: str) -> list[int]:
    """Pages that hold rows of a table, found by what the rows say."""
    data = path.read_bytes()
    return [at for at in range(PAGE, len(data), PAGE) if name.encode() in data[at : at + PAGE]]


def page_of_events(path: Path, chance: random.Random) -> None:
    overwrite(path, chance.choice(pages_of(path, '"t":"text"')), chance.randbytes(PAGE))


def several_pages(path: Path, chance: random.Random) -> None:
    pages = path.stat().st_size // PAGE
    for number in chance.sample(range(1, pages), 6):
        overwrite(path, number * PAGE, chance.randbytes(PAGE))


def truncated(path: Path, chance: random.Random) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 2 // 3)


def torn(path: Path, chance: random.Random) -> None:
    with path.open("r+b") as file:
        file.truncate(last_in_use(path.read_bytes()) * PAGE - 1000)


def last_in_use(database: bytes) -> int:
    """The number of the last page that holds anything: nothing is lost with those behind it."""
    free: set[int] = set()
    trunk = int.from_bytes(database[32:36], "big")
    while trunk:
        words = memoryview(database)[(trunk - 1) * PAGE : trunk * PAGE]
        following, count, *leaves = (
            int.from_bytes(words[at : at + 4], "big") for at in range(0, PAGE, 4)
        )
        free |= {trunk, *leaves[:count]}
        trunk = following
    return max(set(range(1, len(database) // PAGE + 1)) - free)


def empty(path: Path, chance: random.Random) -> None:
    path.write_bytes(b"")


def no_database(path: Path, chance: random.Random) -> None:
    path.write_bytes(b"These are the wrong bytes.\n" * 1000)


def wal_of_garbage(path: Path, chance: random.Random) -> None:
    path.with_name(path.name + "-wal").write_bytes(chance.randbytes(10 * PAGE))


KINDS: dict[str, Damage] = {
    damage.__name__: damage
    for damage in (
        header,
        first_page,
        page_of_events,
        several_pages,
        truncated,
        torn,
        empty,
        no_database,
        wal_of_garbage,
    )
}
# Nothing that was ever written is lost with these.
HARMLESS = ("header", "first_page", "wal_of_garbage")


class Home:
    """A home folder as a server left it, which can be brought back to that as often as wanted."""

    def __init__(self, server: AngeliaServer, events: dict[str, list[Event]]) -> None:
        self.server = server
        self.events = events
        self.path = server.home / "angelia.db"
        self._sound = self.path.read_bytes()

    def damage(self, damage: Damage, chance: random.Random) -> None:
        for file in self.server.home.glob("angelia.db*"):
            file.unlink()
        self.path.write_bytes(self._sound)
        damage(self.path, chance)

    def recover(self, *options: str) -> tuple[int, dict[str, Any]]:
        ran = subprocess.run(
            [*ANGELIA, "recover", "--json", *options],
            env=self.server.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran.returncode, msgspec.json.decode(ran.stdout) if ran.stdout else {}


async def all_events(server: AngeliaServer) -> dict[str, list[Event]]:
    """What each run that is there shows to a reader that comes late."""
    async with Client(server.url, server.key) as client:
        listed = (await client.get("/v1/runs?limit=100")).json["data"]
        return {
            run["run_id"]: [
                f.json async for f in client.stream(f"/v1/runs/{run['run_id']}/events") if f.id
            ]
            for run in listed
        }


async def lived_in(server: AngeliaServer) -> Home:
    async with Client(server.url, server.key) as client:
        ids = [await started(client, {"input": PROMPT.format(n=n)}) for n in range(RUNS)]
        await asyncio.gather(*(ended(client, run_id) for run_id in ids))
    events = await all_events(server)
    assert len(events) == RUNS
    assert server.stop() == 0
    return Home(server, events)


def refusal(server: AngeliaServer) -> str:
    """The one line of a server that does not start."""
    told = len(server.stderr)
    with pytest.raises(NotReady, match="exit code 1\n"):
        server.start()
    (line,) = server.stderr[told:].splitlines()
    return line


@pytest.mark.parametrize("kind", KINDS)
async def test_a_damaged_database_is_refused_and_brought_back(
    server: AngeliaServer, ledger: Ledger, kind: str, *, long: bool
) -> None:
    home = await lived_in(server)
    for seed in range(20 if long else 1):
        home.damage(KINDS[kind], random.Random(seed))
        ledger.count("starts refused", 1)
        line = refusal(server)
        assert f"The database {home.path} is damaged" in line
        assert "`angelia recover`" in line
        await bring_back(home, kind, ledger)


async def bring_back(home: Home, kind: str, ledger: Ledger) -> None:
    before = home.path.read_bytes()
    code, looked = home.recover("--check")
    assert code == 1
    assert home.path.read_bytes() == before
    code, found = home.recover()
    assert code == 0
    kept_as = found.pop("kept_as")
    looked.pop("kept_as", None)
    assert found == looked
    assert Path(kept_as).read_bytes() == before
    assert home.recover()[1].get("damage") is None

    cut = {run["run_id"]: run["seq"] for run in found.get("cut", ())}
    lost = set(found.get("lost", ()))
    ledger.count("runs kept whole", found.get("whole", 0))
    ledger.count("runs cut", len(cut))
    ledger.count("runs lost", RUNS - found.get("whole", 0) - len(cut))
    home.server.start()
    now = await all_events(home.server)
    for run_id, events in now.items():
        compare(events, home.events[run_id], cut.get(run_id))
        ledger.count("events brought back", cut.get(run_id, len(events)))
    assert len(now) == found.get("whole", 0) + len(cut)
    assert not lost & now.keys()
    if kind in HARMLESS:
        assert now == home.events
    await works(home.server)
    assert home.server.stop() == 0
    assert integrity(home.path) == "ok"


def compare(now: list[Event], before: list[Event], cut: int | None) -> None:
    """The same events as before; behind a cut the run has ended, and says why."""
    check(now)
    if cut is None:
        assert now == before
        return
    assert now[:cut] == before[:cut]
    assert now[-1]["event"] == "run.failed"
    assert now[-1]["error"]["code"] == "log_damaged"


async def works(server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        run = await ended(client, await started(client, {"input": "long 3"}))
        assert run["status"] == "completed"
        assert (await client.get("/api/sessions")).status == 200
        assert (await client.get("/api/sessions/search?q=echo")).status == 200
        assert (await client.delete(f"/v1/runs/{run['run_id']}")).status == 200
    assert "Traceback" not in server.stderr


def integrity(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("pragma integrity_check").fetchone()[0]


async def test_damage_that_is_met_while_running_is_told_and_nothing_is_started(
    server: AngeliaServer, ledger: Ledger
) -> None:
    home = await lived_in(server)
    server.start()
    # Behind the back of the server, and of all that it holds in memory.
    size = home.path.stat().st_size
    overwrite(home.path, PAGE, random.Random(1).randbytes(size - PAGE))
    async with Client(server.url, server.key) as client:

        async def told() -> bool:
            for run_id in home.events:
                await client.get(f"/v1/runs/{run_id}")
            ready = await client.get("/health/ready")
            return ready.json["checks"]["store"].get("reason") == "log_damaged"

        await eventually(told)
        answers = [await client.post("/v1/runs", {"input": "hello"}) for _ in range(5)]
    assert {answer.status for answer in answers} == {503}
    assert {answer.json["error"]["code"] for answer in answers} == {"log_damaged"}
    assert "angelia recover" in answers[0].json["error"]["message"]
    ledger.count("requests refused", len(answers))
    assert "Run `angelia recover`" in server.stderr
    assert server.stop() == 0


async def test_a_run_that_was_cut_off_by_the_damage_is_not_done_again(
    server: AngeliaServer, ledger: Ledger
) -> None:
    path = server.home / "angelia.db"
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "run `echo deed >> deeds; sleep 30`"})
        deeds = server.home / "workspace" / "deeds"
        await eventually(lambda: asyncio.to_thread(deeds.exists))
        # The start of the call is in the database, and what follows in its write-ahead log.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("pragma wal_checkpoint(passive)").fetchall()
        await started(client, {"input": "long 3"})
    server.kill()
    wal_of_garbage(path, random.Random(2))
    assert "write-ahead log" in refusal(server)
    assert Home(server, {}).recover()[1]["cut"][0]["run_id"] == run_id
    server.start()
    events = (await all_events(server))[run_id]
    check(events)
    (call,) = [event for event in events if event["event"] == "tool.completed"]
    assert call["outcome"] == "in_doubt"
    assert events[-1]["error"]["code"] == "log_damaged"
    assert deeds.read_text().split() == ["deed"]
    ledger.count("calls in doubt", 1)
    ledger.count("calls done twice", 0)


def test_a_server_that_runs_keeps_recover_away(server: AngeliaServer) -> None:
    ran = subprocess.run(
        [*ANGELIA, "recover"], env=server.env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr == (
        "angelia: A server works in this home folder; stop it before its database is recovered.\n"
    )


async def test_a_sound_database_is_left_as_it_is(server: AngeliaServer) -> None:
    home = await lived_in(server)
    before = home.path.read_bytes()
    for options in ((), ("--check",)):
        code, found = home.recover(*options)
        assert (code, found["whole"]) == (0, RUNS)
        assert "damage" not in found or found["damage"] is None
    assert home.path.read_bytes() == before
    assert sorted(file.name for file in server.home.glob("*damaged*")) == []
