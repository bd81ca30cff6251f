"""Disks that are full, held by somebody else, or read-only: what is under way waits for them."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from angelia.adapters.sqlite.spool import spooled
from tests.chaos.ledger import Ledger
from tests.chaos.readers import Follower, check, lost_or_repeated, outcomes
from tests.support.disks import Disk, make_unwritable, make_writable, small_disk
from tests.support.following import ended, eventually, started
from tests.support.http import Answer, Client
from tests.support.process import NotReady
from tests.support.server import AngeliaServer, UpstreamProcess

pytestmark = pytest.mark.timeout(300)

MEGABYTES = 24
PACE = "0.02"
STARTS = {
    "/v1/runs": {"input": "hello"},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "hello"}]},
    "/v1/responses": {"input": "hello"},
    "/api/sessions": {},
}


def work(number: int) -> str:
    """Text, two commands side by side, and text again."""
    return f"say `sleep 0.3; echo one-{number}`, `echo two-{number}` and long 60"


class Stage:
    """A server and a model that takes its time."""

    def __init__(self, server: AngeliaServer, upstream: UpstreamProcess) -> None:
        self.server = server
        self.upstream = upstream
        self.followers: list[Follower] = []
        self._reading: list[asyncio.Task[object]] = []

    def client(self) -> Client:
        return Client(self.server.url, self.server.key)

    async def begin(self, client: Client, width: int) -> None:
        """So many runs, each with a reader that comes and goes, all of them under way."""
        chance = random.Random(11)
        for number in range(width):
            run_id = await started(client, {"input": work(number)})
            follower = Follower(self.server, run_id, chance)
            self.followers.append(follower)
            self._reading.append(asyncio.create_task(follower.read()))
        await eventually(self._all_speak)

    async def _all_speak(self) -> bool:
        return all(len(follower.events) > 3 for follower in self.followers)

    async def read(self) -> None:
        async with asyncio.timeout(120):
            await asyncio.gather(*self._reading)


@contextmanager
def staged(folder: Path, disk: Disk | None = None) -> Iterator[Stage]:
    (folder / "upstream").mkdir(parents=True)
    upstream = UpstreamProcess(folder / "upstream", None, "--pace", PACE)
    env = {
        "ANGELIA_BASE_URL": upstream.url,
        "ANGELIA_MODEL": "scripted",
        # What runs wrote stays readable; what commands leave behind is no part of this.
        "ANGELIA_WORKSPACE": str(folder / "server"),
    }
    stage = Stage(AngeliaServer(folder / "server", env, disk), upstream)
    (stage.server.home / "angelia.toml").write_text("[server]\ndrain = 1\n")
    try:
        upstream.start()
        stage.server.start()
        yield stage
    finally:
        stage.server.kill()
        upstream.kill()


async def unready(client: Client, reason: str) -> None:
    """Returns when the server says why it takes nothing new.

    A write-ahead log that has grown before has room even on a full disk, until more was written.
    """

    async def told_or_begun() -> bool:
        answer = await client.get("/health/ready")
        if answer.json["checks"]["store"].get("reason") == reason:
            return True
        assert (await client.post("/v1/runs", {"input": "long 5"})).status in (202, 503, 507)
        return False

    await eventually(told_or_begun)


async def refused(client: Client, status: int, code: str) -> int:
    """How many requests that would begin something were refused; none got through."""
    answers = [await client.post(path, body) for path, body in STARTS.items() for _ in range(3)]
    assert {told(answer) for answer in answers} == {(status, code)}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in answers)
    return len(answers)


def told(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["error"]["code"]


async def reading_works(client: Client, run_id: str) -> None:
    assert (await client.get("/v1/runs")).status == 200
    assert (await client.get(f"/v1/runs/{run_id}")).json["status"] == "completed"
    frames = [f async for f in client.stream(f"/v1/runs/{run_id}/events") if f.id]
    assert frames[-1].json["event"] == "run.completed"


def stored(server: AngeliaServer, followers: Sequence[Follower]) -> dict[str, int]:
    """The last entry of each run that is on the disk, in the database or beside it."""
    database = server.home / "angelia.db"
    # What leaves the spool in the meantime is in the database.
    beside = spooled(database)
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(
            "select runs.id, max(events.last_seq) from runs join events on run = key group by key"
        )
        kept = dict(rows.fetchall())
    for row in beside:
        kept[row.run_id] = max(kept[row.run_id], row.last)
    return {follower.run_id: kept[follower.run_id] for follower in followers}


def integrity(server: AngeliaServer) -> str:
    with closing(sqlite3.connect(server.home / "angelia.db")) as connection:
        return connection.execute("pragma integrity_check").fetchone()[0]


def note(stage: Stage, ledger: Ledger) -> None:
    """Each reader has the whole of its run, and so has the disk."""
    kept = stored(stage.server, stage.followers)
    missing = 0
    for follower in stage.followers:
        check(follower.events)
        assert follower.events[-1]["event"] == "run.completed"
        assert set(outcomes(follower.events).values()) <= {"ok", "in_doubt"}
        missing += max(0, len(follower.events) - kept[follower.run_id])
        ledger.count("events acknowledged", len(follower.events))
        ledger.count("events lost or repeated", lost_or_repeated(follower.events))
    ledger.count("events missing on disk", missing)
    ledger.count("runs", len(stage.followers))
    assert missing == 0


HOMES = 5


async def test_runs_wait_for_space_and_go_on_when_there_is_some(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    for number in range(HOMES if long else 1):
        with (
            small_disk(tmp_path / f"disk-{number}", MEGABYTES) as disk,
            staged(tmp_path / f"stage-{number}", disk) as stage,
        ):
            await filled_and_freed(stage, disk, ledger)
            assert stage.server.stop() == 0
            assert integrity(stage.server) == "ok"
            assert "Traceback" not in stage.server.stderr


async def filled_and_freed(stage: Stage, disk: Disk, ledger: Ledger) -> None:
    times = 2
    async with stage.client() as client:
        first = await ended(client, await started(client, {"input": "long 5"}))
        for _ in range(times):
            await stage.begin(client, 8)
            disk.fill()
            await unready(client, "disk_full")
            ledger.count("times full", 1)
            ledger.count("requests refused with 507", await refused(client, 507, "disk_full"))
            await reading_works(client, first["run_id"])
            kept = stored(stage.server, stage.followers)
            assert all(len(f.events) <= kept[f.run_id] for f in stage.followers)
            disk.free()
            await stage.read()
    note(stage, ledger)
    assert {how for f in stage.followers for how in outcomes(f.events).values()} == {"ok"}
    assert stage.server.stderr.count("the log is paused") <= times


async def test_a_kill_while_the_disk_is_full_loses_nothing(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    for number in range(HOMES if long else 1):
        with (
            small_disk(tmp_path / f"disk-{number}", MEGABYTES) as disk,
            staged(tmp_path / f"stage-{number}", disk) as stage,
        ):
            await killed_while_full(stage, disk, ledger)
            assert stage.server.stop() == 0
            assert integrity(stage.server) == "ok"
            assert "Traceback" not in stage.server.stderr


async def killed_while_full(stage: Stage, disk: Disk, ledger: Ledger) -> None:
    async with stage.client() as client:
        await stage.begin(client, 8)
        disk.fill()
        await unready(client, "disk_full")
    stage.server.kill()
    ledger.count("kills while full", 1)
    with pytest.raises(NotReady, match=r"angelia: The disk that holds .* is full; free"):
        stage.server.start()
    disk.free()
    stage.server.start()
    await stage.read()
    note(stage, ledger)


async def test_a_server_on_a_full_disk_stops_in_time(tmp_path: Path, ledger: Ledger) -> None:
    with (
        small_disk(tmp_path / "disk", MEGABYTES) as disk,
        staged(tmp_path / "stage", disk) as stage,
    ):
        async with stage.client() as client:
            await stage.begin(client, 4)
            disk.fill()
            await unready(client, "disk_full")
        assert stage.server.stop() == 0
        ledger.count("stops while full", 1)
        disk.free()
        stage.server.start()
        await stage.read()
        note(stage, ledger)
        assert "Traceback" not in stage.server.stderr


async def test_a_disk_that_takes_its_time_slows_runs_down_and_loses_nothing(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    with staged(tmp_path / "stage") as stage:
        async with stage.client() as client:
            holding = asyncio.create_task(hold(stage.server, 0.3, 60 if long else 10, ledger))
            await stage.begin(client, 16)
            await stage.read()
            await holding
        note(stage, ledger)
        assert "Traceback" not in stage.server.stderr
        # Slow is not broken: nobody is told of anything.
        assert "the log is paused" not in stage.server.stderr


async def hold(server: AngeliaServer, seconds: float, times: int, ledger: Ledger) -> None:
    """Somebody else writes to the file for a while, again and again."""
    connection = sqlite3.connect(
        server.home / "angelia.db", timeout=60, isolation_level=None, check_same_thread=False
    )
    with closing(connection):
        for _ in range(times):
            await asyncio.to_thread(connection.execute, "begin immediate")
            await asyncio.sleep(seconds)
            connection.execute("rollback")
            ledger.count("times held up", 1)
            await asyncio.sleep(0.02)


async def test_a_file_that_cannot_be_written_for_a_while_is_waited_for(
    tmp_path: Path, ledger: Ledger
) -> None:
    with staged(tmp_path / "stage") as stage:
        files = [stage.server.home / name for name in ("angelia.db", "angelia.db-wal")]
        async with stage.client() as client:
            await stage.begin(client, 6)
            try:
                assert all(map(make_unwritable, files))
                await unready(client, "log_unavailable")
                count = await refused(client, 503, "log_unavailable")
                ledger.count("requests refused with 503", count)
            finally:
                for file in files:
                    make_writable(file)
            await stage.read()
        note(stage, ledger)
        assert stage.server.stderr.count("the log is paused") == 1
        assert "Traceback" not in stage.server.stderr


def test_a_start_on_a_full_disk_is_not_told_of_damage(tmp_path: Path, ledger: Ledger) -> None:
    with small_disk(tmp_path / "disk", MEGABYTES) as disk:
        server = AngeliaServer(tmp_path / "server", disk=disk)
        try:
            server.start()
            assert server.stop() == 0
            # Nothing lies beside the database now, and nothing can be put there.
            disk.fill()
            with pytest.raises(NotReady, match=r"angelia: The disk that holds .* is full; free"):
                server.start()
            ledger.count("starts refused", 1)
            disk.free()
            server.start()
            assert server.stop() == 0
        finally:
            server.kill()


def test_a_home_that_cannot_be_written_is_refused_in_one_line(
    tmp_path: Path, ledger: Ledger
) -> None:
    with small_disk(tmp_path / "disk", MEGABYTES) as disk:
        server = AngeliaServer(tmp_path / "server", disk=disk)
        disk.make_read_only()
        with pytest.raises(NotReady) as refusal:
            server.start()
    ledger.count("starts refused", 1)
    (line,) = server.stderr.splitlines()
    assert line == (
        f"angelia: The home folder {disk.path / '.angelia'} cannot be written (Read-only file "
        "system); make it writable, or choose another ANGELIA_HOME."
    )
    assert str(refusal.value).startswith("exit code 1\n")
