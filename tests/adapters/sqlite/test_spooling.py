import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection, connect

import pytest
from hypothesis import HealthCheck, given, settings

from angelia.adapters.sqlite.lines import UNWRITTEN_BYTES
from angelia.adapters.sqlite.recorder import ROW_BYTES
from angelia.adapters.sqlite.schema import make_known
from angelia.adapters.sqlite.spool import Spool, Spooled, paths_of, spooled
from angelia.core.events import AnyEvent, Entry, StopRequested, TextDelta
from angelia.errors import Conflict, Fenced, LogDamaged, LogUnavailable
from tests.adapters.sqlite.hostile import CLAIMED, Hostile, landed, make_small, programs
from tests.adapters.sqlite.test_database import break_log, mend_log
from tests.contracts.stores import STARTED, SqliteStore, begin, collect, end, events, text

ROOT = Path(__file__).parents[3]


@contextmanager
def full_spool(store: SqliteStore) -> Generator[None]:
    """Both files are a device that is always full."""
    files: list[int] = store.database.spooling._spool._files  # pyright: ignore
    kept = [os.dup(file) for file in files]
    full = os.open("/dev/full", os.O_RDWR)
    for file in files:
        os.dup2(full, file)
    try:
        yield
    finally:
        for file, before in zip(files, kept, strict=True):
            os.dup2(before, file)
            os.close(before)
        os.close(full)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything happens early: lines are settled, files take turns."""
    make_small(monkeypatch)


async def collect_from(store: SqliteStore, after: int) -> list[Entry]:
    return list((await anext(store.log.follow("run", after))).entries)


def rows_of(connection: Connection) -> list[tuple[int, int]]:
    query = "select first_seq, last_seq from events order by run, last_seq"
    return connection.execute(query).fetchall()


# ── a disk that takes its time ──────────────────────────────────────────────────────────────


def a_write_takes_a_second(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Spool.write

    def slowly(spool: Spool, rows: Sequence[Spooled]) -> None:
        store.clock.advance(1.0)
        write(spool, rows)

    monkeypatch.setattr(Spool, "write", slowly)


async def test_a_slow_disk_is_left_to_the_writer_for_a_while(
    store: SqliteStore, stranger: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes the long way is not shown before the database has it."""
    a_write_takes_a_second(store, monkeypatch)
    await begin(store)
    await store.log.offer("run", 1, [text("a")])
    assert [entry.event for entry in await collect_from(store, 1)] == [text("a")]
    stranger.execute("begin immediate")
    await store.log.offer("run", 1, [text("b")])
    reading = asyncio.ensure_future(collect_from(store, 2))
    # A trip through the readers' thread: whatever could have come has come.
    assert await store.log.read("run", 2) is None
    assert not reading.done()
    stranger.execute("rollback")
    assert [entry.event for entry in await reading] == [text("b")]


async def test_a_disk_that_is_quick_again_is_given_deltas_again(
    store: SqliteStore, stranger: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_write_takes_a_second(store, monkeypatch)
    monkeypatch.setattr("angelia.adapters.sqlite.spooling.SHARE", 1e9)
    await begin(store)
    await store.log.offer("run", 1, [text("a")])
    assert await collect_from(store, 1)
    # The loop's timers are looked at before it goes round again.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert store.database.short_way
    stranger.execute("begin immediate")
    await store.log.offer("run", 1, [text("b")])
    assert [entry.event for entry in await collect_from(store, 2)] == [text("b")]
    stranger.execute("rollback")


# ── one after the other ─────────────────────────────────────────────────────────────────────


async def test_what_is_behind_a_refused_fact_keeps_its_place(store: SqliteStore) -> None:
    """Its deltas were on the way with it, and readers have them."""
    await begin(store)
    await store.log.append("run", 1, [StopRequested()], CLAIMED)
    following = asyncio.create_task(collect(store.log))
    await store.log.offer("run", 1, [text("a"), text("b")])
    telling = [
        asyncio.ensure_future(store.log.append("run", 1, [StopRequested("late")], CLAIMED)),
        asyncio.ensure_future(store.log.append("run", 1, [StopRequested("next")])),
    ]
    await asyncio.sleep(0)
    await store.log.offer("run", 1, [text("c")])
    with pytest.raises(Conflict):
        await telling[0]
    assert await telling[1] == 5
    await store.log.offer("run", 1, [text("d")])
    assert await end(store) == 8
    said = [text("a"), text("b"), StopRequested("next"), text("c"), text("d")]
    assert (await events(store.log))[2:-1] == said
    assert [entry.event for entry in await following][2:-1] == said


async def test_deltas_of_a_run_that_is_new_here_wait_for_all_that_is_under_way(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    await store.reopen()
    following = asyncio.create_task(collect(store.log))
    appending = [
        asyncio.ensure_future(store.log.append("run", 1, [StopRequested(str(number))]))
        for number in range(20)
    ]
    await appending[0]
    for number in range(20):
        await store.log.offer("run", 1, [text(str(number))])
        await asyncio.sleep(0)
    await asyncio.gather(*appending)
    assert await end(store) == 42
    assert [entry.seq for entry in await following] == list(range(1, 43))
    assert await events(store.log) == [entry.event for entry in await following]


async def test_a_takeover_brings_what_readers_have(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    await store.log.offer("run", 1, [text("a")])
    following = store.log.follow("run", 1)
    assert (await anext(following)).last == 2
    taking = [asyncio.ensure_future(store.runs.take("run")) for _ in range(2)]
    await asyncio.sleep(0)
    await store.log.offer("run", 1, [text("too late")])
    stranger.execute("rollback")
    assert await asyncio.gather(*taking) == [2, 3]
    with pytest.raises(Fenced):
        await store.log.offer("run", 1, [text("far too late")])
    await store.log.offer("run", 3, [text("b")])
    assert await store.log.append("run", 3, [StopRequested()]) == 4
    assert await events(store.log) == [STARTED, text("a"), text("b"), StopRequested()]


async def test_a_run_that_is_deleted_leaves_nobody_waiting(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    waiting = asyncio.ensure_future(store.log.offer("run", 1, [text("x" * 50_000)] * 6))
    await asyncio.sleep(0)
    deleting = asyncio.ensure_future(store.runs.delete("run"))
    await asyncio.sleep(0)
    stranger.execute("rollback")
    await deleting
    await waiting
    assert await store.runs.get("run") is None
    assert stranger.execute("select count(*) from events").fetchone() == (0,)


# ── into the database ───────────────────────────────────────────────────────────────────────


async def test_a_fact_takes_the_deltas_before_it_along(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    for number in range(3):
        store.clock.advance(1)
        await store.log.offer("run", 1, [text(str(number)), text("and more")])
        await asyncio.sleep(0)
    assert rows_of(stranger) == [(1, 1)]
    shown = await store.log.read("run", 1)
    before = store.database.groups
    await store.log.append("run", 1, [StopRequested()])
    assert store.database.groups == before + 1
    assert rows_of(stranger) == [(1, 1), (2, 7), (8, 8)]
    # Each keeps its time.
    stored = await store.log.read("run", 1)
    assert shown is not None
    assert stored is not None
    assert len({entry.at for entry in shown.entries}) == 3
    assert stored.entries[:-1] == shown.entries
    assert (await collect_from(store, 4))[:3] == list(shown.entries[3:])


async def test_much_without_a_fact_goes_there_by_itself(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    for _ in range(4):
        await store.log.offer("run", 1, [text("x" * (ROW_BYTES // 3))])
        await asyncio.sleep(0)
    await landed(store)
    assert rows_of(stranger)[-1][1] >= 4


@pytest.mark.usefixtures("small")
async def test_many_runs_go_there_a_few_at_a_time(store: SqliteStore, stranger: Connection) -> None:
    for number in range(10):
        await begin(store, f"run{number}")
    stranger.execute("begin immediate")
    for _ in range(12):
        for number in range(10):
            await store.log.offer(f"run{number}", 1, [text("some words")])
        await asyncio.sleep(0)
    assert 1 <= store.database.live.settling <= 3
    before = store.database.groups
    stranger.execute("rollback")
    while rows_of(stranger)[-1] != (13, 13) and store.database.live.settling:
        await asyncio.sleep(0)
    assert store.database.groups - before >= 4


@pytest.mark.usefixtures("small")
async def test_the_files_take_turns_for_ever(store: SqliteStore) -> None:
    await begin(store)
    await begin(store, "quiet")
    await begin(store, "gone")
    for run_id in ("quiet", "gone"):
        await store.log.offer(run_id, 1, [text("one word")])
    for number in range(300):
        if number == 10:
            await store.runs.delete("gone")
        await store.log.offer("run", 1, [text(str(number))])
        await asyncio.sleep(0)
        await landed(store)
    assert max(path.stat().st_size for path in paths_of(store.path)) < 2_000
    assert len(store.database.live.held("run")) < 20
    assert await events(store.log, "quiet") == [STARTED, text("one word")]
    assert len(await events(store.log)) == 301


async def test_a_reader_far_behind_gets_what_is_spooled_in_pages(store: SqliteStore) -> None:
    await begin(store)
    for _ in range(30):
        await store.log.offer("run", 1, [text("x" * 500)])
        await asyncio.sleep(0)
    seqs: list[int] = []
    async for batch in store.log.follow("run", 3):
        assert len(batch.entries) <= 40
        seqs += [entry.seq for entry in batch.entries]
        if batch.last == 31:
            break
    assert seqs == list(range(4, 32))


# ── when something fails ────────────────────────────────────────────────────────────────────


async def test_without_a_spool_deltas_go_straight_into_the_database(
    store: SqliteStore, stranger: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(store)
    following = asyncio.create_task(collect(store.log))
    await store.log.offer("run", 1, [text("before")])
    await asyncio.sleep(0)
    with full_spool(store):
        for number in range(5):
            await store.log.offer("run", 1, [text(str(number))])
            await asyncio.sleep(0)
            await landed(store)
        assert rows_of(stranger)[-1] == (7, 7)
    await store.log.offer("run", 1, [text("after")])
    assert await end(store) == 9
    said = [text("before"), *(text(str(number)) for number in range(5)), text("after")]
    assert (await events(store.log))[1:-1] == said
    assert [entry.event for entry in await following][1:-1] == said
    assert [entry.levelno for entry in caplog.records] == [logging.WARNING]


async def test_deltas_that_find_no_way_are_told_to_whoever_writes_next(store: SqliteStore) -> None:
    await begin(store)
    await store.log.offer("run", 1, [text("kept")])
    await asyncio.sleep(0)
    with full_spool(store):
        await store.log.offer("run", 1, [text("lost")])
        store.database.trouble = LogDamaged("damaged meanwhile")
        await asyncio.sleep(0)
    with pytest.raises(LogDamaged, match="meanwhile"):
        await store.log.append("run", 1, [StopRequested()])
    store.database.trouble = None
    assert await events(store.log) == [STARTED, text("kept")]
    assert await store.log.append("run", 1, [StopRequested()]) == 3


async def test_a_portion_that_cannot_go_there_harms_no_other_run(store: SqliteStore) -> None:
    """What would be submitted from within a turn of the loop may be refused."""
    for run_id in ("one", "two"):
        await begin(store, run_id)
        await store.log.offer(run_id, 1, [text("x" * ROW_BYTES)])
    following = [asyncio.create_task(collect(store.log, run_id)) for run_id in ("one", "two")]
    store.database.trouble = LogDamaged("damaged meanwhile")
    store.database.spooling.flush()
    store.database.trouble = None
    for run_id, reader in zip(("one", "two"), following, strict=True):
        assert await end(store, run_id) == 3
        assert len(await reader) == 3


async def test_a_log_that_closes_while_nothing_can_be_written_leaves_all_in_the_spool(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    break_log(stranger)
    await store.log.offer("run", 1, [text("a")])
    await store.database.close()
    assert [row.last for row in spooled(store.path)] == [2]
    mend_log(stranger)
    await store.reopen()
    assert await events(store.log) == [STARTED, text("a")]


async def test_a_log_that_has_closed_leaves_no_file(store: SqliteStore) -> None:
    await begin(store)
    await store.log.offer("run", 1, [text("a")])
    await asyncio.sleep(0)
    assert all(path.exists() for path in paths_of(store.path))
    await store.close()
    assert not any(path.exists() for path in paths_of(store.path))


@pytest.mark.parametrize("size", [10, 2 * ROW_BYTES])
async def test_nothing_is_written_behind_a_gap(
    store: SqliteStore, stranger: Connection, size: int
) -> None:
    await begin(store)
    await store.log.append("run", 1, [StopRequested()])
    store.database.live.lines["run"].last = 7
    await store.log.offer("run", 1, [text("x" * size)])
    for _ in range(2):
        with pytest.raises(LogUnavailable, match="somebody else"):
            await store.log.append("run", 1, [StopRequested()])
    assert rows_of(stranger) == [(1, 1), (2, 2)]
    assert await begin(store, "other") == "other"


# ── when the process dies ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shown", [200, 3_000])
async def test_a_kill_takes_nothing_that_a_reader_had(tmp_path: Path, shown: int) -> None:
    command = [sys.executable, "-m", "tests.adapters.sqlite.showing", str(tmp_path / "db")]
    had: dict[str, int] = {}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for count, line in enumerate(writer.stdout):
            if count == shown:
                writer.send_signal(signal.SIGKILL)
            # The last line may be torn.
            if line.endswith("\n"):
                run_id, seq = line.split()
                had[run_id] = int(seq)
    assert writer.returncode == -signal.SIGKILL
    store = SqliteStore(tmp_path / "db")
    for run_id, seq in had.items():
        said = await store.log.read(run_id)
        assert said is not None
        assert said.last >= seq
        assert [entry.seq for entry in said.entries] == list(range(1, said.last + 1))
        assert all(number(entry.event) == entry.seq for entry in said.entries[1:])
    await store.close()


def number(event: AnyEvent) -> int:
    """Which one of its run it says it is."""
    if isinstance(event, TextDelta):
        return int(event.text[: len(event.text) // 20])
    assert isinstance(event, StopRequested)
    return int(event.by or "0")


# ── whatever happens ────────────────────────────────────────────────────────────────────────


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(program=programs)
def test_whatever_happens_nobody_has_what_the_log_has_not(
    tmp_path_factory: pytest.TempPathFactory, program: list[tuple[str, str, int]]
) -> None:
    async def play(folder: Path) -> None:
        store = SqliteStore(folder / "db")
        try:
            with closing(connect(store.path, isolation_level=None)) as stranger:
                make_known(stranger)
                await Hostile(store, stranger).run(program)
        finally:
            await store.close()

    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        asyncio.run(play(tmp_path_factory.mktemp("log")))


async def test_damage_that_is_found_while_a_line_waits_for_room_is_told(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    writing = asyncio.create_task(offer_for_ever(store))
    line = store.database.live.lines["run"]
    while line.unwritten <= UNWRITTEN_BYTES:
        await asyncio.sleep(0)
    store.database.trouble = LogDamaged("a reader has met a damaged page")
    stranger.execute("rollback")
    with pytest.raises(LogDamaged, match="damaged page"):
        await asyncio.wait_for(writing, 10)


async def offer_for_ever(store: SqliteStore) -> None:
    while True:
        await store.log.offer("run", 1, [text("x" * 4_000)])
