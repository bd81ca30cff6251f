import asyncio
import logging
import stat
import subprocess
import sys
import threading
from pathlib import Path
from sqlite3 import Connection

import pytest
from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import BATCH_BYTES, READERS, Database
from angelia.adapters.sqlite.recorder import ROW_BYTES
from angelia.adapters.sqlite.spool import spooled
from angelia.core.events import Entry, StopRequested
from angelia.errors import DiskFull, Fenced, HomeInUse, LogDamaged, LogPaused, LogUnavailable
from angelia.ports import Mark, Search, UsageFilter
from tests.contracts.stores import (
    ENDED,
    STARTED,
    SqliteStore,
    begin,
    collect,
    end,
    events,
    record,
    text,
)

ROOT = Path(__file__).parents[3]


async def order(store: SqliteStore, sql: str) -> None:
    """Has the writer thread execute a statement on its own connection."""
    future = store.database.future()
    store.database.submit(Statement(lambda connection: connection.execute(sql).fetchall(), future))
    await future


async def fill_disk(store: SqliteStore) -> None:
    """From here on SQLite reports a full disk."""
    await order(store, "pragma max_page_count = 1")


async def free_disk(store: SqliteStore) -> None:
    """As somebody who waits as runs do, since nobody else is heard."""
    future = store.database.future()
    work = Statement(
        lambda connection: connection.execute("pragma max_page_count = 1000000").fetchall(),
        future,
        patient=True,
    )
    store.database.submit(work)
    await future


async def paused(store: SqliteStore) -> LogUnavailable:
    """Why the log is paused, as soon as the loop knows it."""
    while (trouble := store.database.trouble) is None:
        await asyncio.sleep(0)
    return trouble


def break_log(stranger: Connection) -> None:
    """No event can be written, and waiting does not help."""
    stranger.execute(
        "create trigger broken before insert on events begin "
        "select raise(abort, 'it is broken'); end"
    )


def mend_log(stranger: Connection) -> None:
    stranger.execute("drop trigger broken")


async def taken(store: SqliteStore) -> None:
    """Returns when the writer has everything that was submitted in its hands."""
    while not store.database._writer._queue.empty():  # pyright: ignore
        await asyncio.sleep(0)


TOO_MUCH = text("x" * 50_000)


# ── opening and closing ─────────────────────────────────────────────────────────────────────


async def test_one_process_at_a_time(store: SqliteStore) -> None:
    with pytest.raises(HomeInUse, match=r"over HTTP or choose another ANGELIA_HOME"):
        Database.open(store.path, clock=ManualClock())
    await store.reopen()


def test_what_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, not a database\n" * 100)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(LogUnavailable, match=r"notes\.txt.*not a database"):
            Database.open(path, clock=ManualClock())
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LogUnavailable, match="file/db"):
        Database.open(tmp_path / "file" / "db", clock=ManualClock())
    with pytest.raises(LogUnavailable, match=str(tmp_path)):
        Database.open(tmp_path, clock=ManualClock())


async def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "new" / "home" / "db")
    await begin(store)
    files = list(store.path.parent.iterdir())
    assert {file.name for file in files} == {"db", "db.lock", "db-shm", "db-wal"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    await store.close()


async def test_closing_twice_is_closing_once(store: SqliteStore) -> None:
    await begin(store)
    await asyncio.gather(store.close(), store.close())
    await store.close()
    assert {file.name for file in store.path.parent.iterdir()} == {"db", "db.lock"}


async def test_a_database_that_was_never_written_closes(store: SqliteStore) -> None:
    await store.close()


async def test_everybody_learns_that_the_log_is_closed(store: SqliteStore) -> None:
    await begin(store)
    following = asyncio.create_task(collect(store.log))
    await store.log.append("run", 1, [StopRequested()])
    await store.close()
    with pytest.raises(LogUnavailable, match="closed"):
        await following
    for late in (
        store.log.append("run", 1, [StopRequested()]),
        store.log.offer("run", 1, [text("a")]),
        store.log.read("run"),
        store.sessions.search(Search("tenant", "words")),
        store.runs.get("run"),
        store.runs.take("run"),
    ):
        with pytest.raises(LogUnavailable, match="closed"):
            await late


async def test_what_was_accepted_before_closing_is_written_and_answered(store: SqliteStore) -> None:
    await begin(store)
    await store.log.offer("run", 1, [text("a")])
    appending = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    await asyncio.sleep(0)
    await store.close()
    assert await appending == 3


async def test_a_search_that_takes_long_holds_up_nobody_who_reads(store: SqliteStore) -> None:
    await begin(store)
    going, enough = threading.Event(), threading.Event()

    def long(connection: Connection) -> bool:
        going.set()
        return enough.wait(timeout=30)

    searching = [asyncio.ensure_future(store.database.search(long)) for _ in range(READERS + 1)]
    await asyncio.to_thread(going.wait)
    assert await store.log.read("run") is not None
    assert not any(future.done() for future in searching)
    enough.set()
    assert all(await asyncio.gather(*searching))


# ── commit, then deliver ────────────────────────────────────────────────────────────────────


async def test_an_append_returns_when_a_stranger_can_read_it(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    for seq in range(2, 20):
        assert await store.log.append("run", 1, [StopRequested()], Mark("stopping")) == seq
        rows = stranger.execute("select last_seq, status from runs").fetchall()
        assert rows == [(seq, "stopping")]
        assert stranger.execute("select max(last_seq) from events").fetchone() == (seq,)


async def test_readers_see_no_fact_before_it_is_committed(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    following = store.log.follow("run", 1)
    waiting = asyncio.ensure_future(anext(following))
    stranger.execute("begin immediate")
    appending = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    await asyncio.sleep(0)
    # Behind a fact that is under way, a delta has no place yet.
    await store.log.offer("run", 1, [text("a")])
    # Two trips through the readers' threads: whatever could have come has come.
    assert await store.log.read("run", 1) is None
    assert await store.log.read("run", 1) is None
    assert not waiting.done()
    assert not appending.done()
    assert not spooled(store.path)
    stranger.execute("rollback")
    assert await appending == 2
    assert (await waiting).first == 2


async def test_readers_see_no_delta_before_it_is_on_disk(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    seen = 1
    following = store.log.follow("run", 1)
    for number in range(20):
        await store.log.offer("run", 1, [text(str(number)), text("and more")])
        batch = await anext(following)
        assert batch.first == seen + 1
        seen = batch.last
        assert max(row.last for row in spooled(store.path)) == seen
        assert (record := await store.runs.get("run")) is not None
        assert record.last_seq == seen
        assert len(await events(store.log)) == seen
    stranger.execute("rollback")
    assert await store.log.append("run", 1, [StopRequested()]) == seen + 1


async def test_what_waits_for_one_commit_is_one_group(
    store: SqliteStore, stranger: Connection
) -> None:
    for number in range(20):
        await begin(store, f"run{number}")
    stranger.execute("begin immediate")
    before = store.database.groups
    appending = [
        asyncio.ensure_future(store.log.append(f"run{number % 20}", 1, [StopRequested()]))
        for number in range(200)
    ]
    await asyncio.sleep(0)
    stranger.execute("rollback")
    await asyncio.gather(*appending)
    # The first may have been alone when the lock stopped the writer.
    assert 1 <= store.database.groups - before <= 2


async def test_a_group_makes_one_row_of_the_deltas_of_a_run(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    telling = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    await asyncio.sleep(0)
    await taken(store)
    for number in range(30):
        await store.log.offer("run", 1, [text(str(number))])
    appending = asyncio.ensure_future(store.log.append("run", 1, [StopRequested(), ENDED]))
    await asyncio.sleep(0)
    stranger.execute("rollback")
    assert await telling == 2
    assert await appending == 34
    rows = stranger.execute("select first_seq, last_seq, fact from events order by id").fetchall()
    assert rows == [(1, 1, 1), (2, 2, 1), (3, 32, 0), (33, 34, 1)]


async def test_what_comes_in_one_turn_of_the_loop_is_one_row_of_the_spool(
    store: SqliteStore,
) -> None:
    await begin(store)
    for turn in range(2):
        for number in range(30):
            await store.log.offer("run", 1, [text(f"{turn} {number}")])
        await asyncio.sleep(0)
    assert [(row.first, row.last) for row in spooled(store.path)] == [(2, 31), (32, 61)]


@pytest.mark.parametrize("behind_a_fact", [False, True])
async def test_however_much_comes_at_once_rows_and_batches_stay_small(
    store: SqliteStore, stranger: Connection, *, behind_a_fact: bool
) -> None:
    await begin(store)
    following = asyncio.ensure_future(_batches(store))
    while not ((feed := store.database.live.feeds.get("run")) and feed.waiters):
        await asyncio.sleep(0)
    stranger.execute("begin immediate")
    facts = [StopRequested()] * behind_a_fact
    telling = [asyncio.ensure_future(store.log.append("run", 1, [fact])) for fact in facts]
    await asyncio.sleep(0)
    for _ in range(100):
        await store.log.offer("run", 1, [text("x" * 1_000)])
    await taken(store)
    stranger.execute("rollback")
    await asyncio.gather(*telling)
    await end(store)
    sizes = [len(body) for (body,) in stranger.execute("select body from events").fetchall()]
    assert len(sizes) > 5
    assert max(sizes) < ROW_BYTES + 2_000
    batches = await following
    assert max(map(len, batches)) < BATCH_BYTES // 1_000 + 2
    assert sum(map(len, batches)) == 102 + behind_a_fact


async def _batches(store: SqliteStore) -> list[tuple[Entry, ...]]:
    return [batch.entries async for batch in store.log.follow("run")]


async def test_a_takeover_keeps_what_came_before_it_in_its_group(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    await store.log.offer("run", 1, [text("the writer holds this one")])
    await taken(store)
    await store.log.offer("run", 1, [text("before")])
    taking = asyncio.ensure_future(store.runs.take("run"))
    await asyncio.sleep(0)
    await store.log.offer("run", 1, [text("after")])
    stranger.execute("rollback")
    assert await taking == 2
    assert (await events(store.log))[2:] == [text("before")]


async def test_a_deletion_leaves_nothing_of_its_group(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    await store.log.offer("run", 1, [text("the writer holds this one")])
    await taken(store)
    await store.log.offer("run", 1, [text("before")])
    deleting = asyncio.ensure_future(store.runs.delete("run"))
    await asyncio.sleep(0)
    await store.log.offer("run", 1, [text("after")])
    stranger.execute("rollback")
    await deleting
    assert stranger.execute("select count(*) from events").fetchone() == (0,)


async def test_an_offer_waits_while_too_much_of_its_run_is_unwritten(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store, "greedy")
    await begin(store, "modest")
    stranger.execute("begin immediate")
    for _ in range(5):
        await store.log.offer("greedy", 1, [TOO_MUCH])
    waiting = [
        asyncio.ensure_future(store.log.offer("greedy", 1, [TOO_MUCH, text(str(n))]))
        for n in range(2)
    ]
    await store.log.read("greedy")
    assert not any(future.done() for future in waiting)
    await store.log.offer("modest", 1, [text("not held up by others")])
    waiting[0].cancel()
    stranger.execute("rollback")
    await waiting[1]
    await end(store, "greedy")
    said = await events(store.log, "greedy")
    assert said == [STARTED, *[TOO_MUCH] * 6, text("0"), TOO_MUCH, text("1"), ENDED]


async def test_nothing_is_kept_of_a_run_that_is_over(store: SqliteStore) -> None:
    await begin(store)
    following = asyncio.create_task(collect(store.log))
    await store.log.offer("run", 1, [text("a")])
    await end(store)
    await following
    assert store.database.live.lines == {}
    assert len(store.database.live.feeds) == 0


async def test_the_write_ahead_log_stays_short(store: SqliteStore) -> None:
    await begin(store)
    log_file = store.path.with_name("db-wal")
    for _ in range(30):
        await store.log.append("run", 1, [text("x" * 1_000_000)])
        # A trip through the readers' thread: the writer finds that nobody waits.
        assert await store.log.read("run", 1_000) is None
        assert log_file.stat().st_size < 16_000_000


# ── when the disk fails ─────────────────────────────────────────────────────────────────────


async def test_a_run_waits_for_a_full_disk_while_others_are_refused(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(store)
    following = asyncio.create_task(collect(store.log))
    await fill_disk(store)
    appending = asyncio.ensure_future(store.log.append("run", 1, [TOO_MUCH]))
    assert isinstance(await paused(store), DiskFull)
    for _ in range(3):
        with pytest.raises(DiskFull, match="free some space"):
            await begin(store, "other")
    assert await events(store.log) == [STARTED]
    assert not appending.done()
    assert len(caplog.records) == 1
    await free_disk(store)
    assert await appending == 2
    assert store.database.trouble is None
    assert await begin(store, "other") == "other"
    assert await end(store) == 3
    assert [entry.event for entry in await following] == [STARTED, TOO_MUCH, ENDED]
    assert [entry.levelno for entry in caplog.records] == [logging.ERROR, logging.WARNING]


async def test_a_refused_start_leaves_a_log_that_goes_on_by_itself(store: SqliteStore) -> None:
    await begin(store)
    await fill_disk(store)
    with pytest.raises(DiskFull):
        await store.log.create(record("other"), [STARTED, TOO_MUCH])
    assert await store.runs.get("other") is None
    # What is written to see whether the disk takes it again needs no page of the file.
    while store.database.trouble is not None:
        await asyncio.sleep(0)
    assert await store.log.append("run", 1, [StopRequested()]) == 2


async def test_what_a_run_brings_while_the_disk_is_full_stays_in_order(store: SqliteStore) -> None:
    await begin(store)
    await fill_disk(store)
    offering = [asyncio.ensure_future(store.log.offer("run", 1, [TOO_MUCH]))]
    await paused(store)
    offering += [
        asyncio.ensure_future(store.log.offer("run", 1, [text(str(n))])) for n in range(20)
    ]
    appending = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    await asyncio.sleep(0)
    # Nobody goes on ahead of the disk.
    assert not any(future.done() for future in offering[1:])
    await free_disk(store)
    assert await appending == 23
    await asyncio.gather(*offering)
    said = [text(str(n)) for n in range(20)]
    assert await events(store.log) == [STARTED, TOO_MUCH, *said, StopRequested()]


async def test_a_child_waits_with_the_run_that_begins_it(store: SqliteStore) -> None:
    await begin(store)
    await fill_disk(store)
    child = replace(record("child"), delegated_by="run", delegated_call="c1")
    creating = asyncio.ensure_future(store.log.create(child, [STARTED, TOO_MUCH]))
    await paused(store)
    assert not creating.done()
    await free_disk(store)
    assert (await creating).run_id == "child"
    assert await events(store.log, "child") == [STARTED, TOO_MUCH]


async def test_a_pause_that_ends_in_another_failure_is_over(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    await fill_disk(store)
    appending = asyncio.ensure_future(store.log.append("run", 1, [TOO_MUCH]))
    await paused(store)
    break_log(stranger)
    with pytest.raises(LogUnavailable, match="broken"):
        await free_disk(store)
    with pytest.raises(LogUnavailable, match="broken"):
        await appending
    mend_log(stranger)
    assert store.database.trouble is None
    assert await begin(store, "other") == "other"


async def test_a_log_that_is_paused_can_be_closed(store: SqliteStore) -> None:
    await begin(store)
    await fill_disk(store)
    appending = asyncio.ensure_future(store.log.append("run", 1, [TOO_MUCH]))
    await paused(store)
    await store.close()
    with pytest.raises(DiskFull):
        await appending


async def test_a_file_that_somebody_holds_is_waited_for(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    await order(store, "pragma busy_timeout = 1")
    stranger.execute("begin immediate")
    appending = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    assert type(await paused(store)) is LogPaused
    with pytest.raises(LogPaused):
        await begin(store, "other")
    stranger.execute("rollback")
    assert await appending == 2


async def test_damage_is_told_by_whoever_meets_it_and_nothing_is_written_behind_it(
    store: SqliteStore, stranger: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(store)
    stranger.execute("pragma wal_checkpoint(truncate)").fetchall()
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    for _ in range(2):
        with pytest.raises(LogDamaged, match="angelia recover"):
            await store.log.read("run")
    assert isinstance(store.database.trouble, LogDamaged)
    with pytest.raises(LogDamaged):
        await store.log.append("run", 1, [StopRequested()])
    assert len(caplog.records) == 1


async def test_a_failed_commit_is_told_and_undone_and_the_log_goes_on(
    store: SqliteStore, stranger: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(store)
    following = asyncio.create_task(collect(store.log))
    break_log(stranger)
    with pytest.raises(LogUnavailable, match="broken"):
        await store.log.append("run", 1, [TOO_MUCH])
    with pytest.raises(LogUnavailable, match="broken"):
        await store.log.create(record("other"), [STARTED, TOO_MUCH])
    assert [entry.levelno for entry in caplog.records] == [logging.ERROR] * 2
    mend_log(stranger)
    assert await store.log.append("run", 1, [StopRequested()]) == 2
    assert await begin(store, "other") == "other"
    assert await end(store) == 3
    assert [entry.event for entry in await following] == [STARTED, StopRequested(), ENDED]


async def test_a_run_can_end_after_its_end_could_not_be_written(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    break_log(stranger)
    with pytest.raises(LogUnavailable):
        await store.log.append("run", 1, [TOO_MUCH, ENDED])
    mend_log(stranger)
    await store.log.offer("run", 1, [text("still here")])
    assert await end(store) == 3


async def test_deltas_that_readers_have_outlive_a_commit_that_fails(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    await begin(store, "other")
    break_log(stranger)
    await store.log.offer("run", 1, [TOO_MUCH])
    # The group that fails may hold this one, or it comes after the failure: it fails either way.
    with pytest.raises(LogUnavailable):
        await store.log.append("run", 1, [TOO_MUCH])
    assert await events(store.log) == [STARTED, TOO_MUCH]
    mend_log(stranger)
    assert await store.log.append("run", 1, [StopRequested()]) == 3
    assert await store.log.append("other", 1, [StopRequested()]) == 2
    assert await events(store.log) == [STARTED, TOO_MUCH, StopRequested()]


async def test_who_writes_next_learns_that_offered_deltas_are_lost(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    await begin(store, "other")
    break_log(stranger)
    stranger.execute("begin immediate")
    telling = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    await asyncio.sleep(0)
    await store.log.offer("run", 1, [TOO_MUCH])
    stranger.execute("rollback")
    with pytest.raises(LogUnavailable):
        await telling
    while store.database.live.flying:
        await asyncio.sleep(0)
    mend_log(stranger)
    with pytest.raises(LogUnavailable):
        await store.log.append("run", 1, [StopRequested()])
    assert await store.log.append("run", 1, [StopRequested()]) == 2
    assert await store.log.append("other", 1, [StopRequested()]) == 2


async def test_nothing_lands_behind_lost_deltas_before_their_writer_knows(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    break_log(stranger)
    stranger.execute("begin immediate")
    appending = [asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))]
    await asyncio.sleep(0)
    await store.log.offer("run", 1, [TOO_MUCH])
    await taken(store)
    appending += [
        asyncio.ensure_future(store.log.append("run", 1, [StopRequested()])) for _ in range(50)
    ]
    await asyncio.sleep(0)
    stranger.execute("rollback")
    answers = await asyncio.gather(*appending, return_exceptions=True)
    assert {type(answer) for answer in answers} == {LogUnavailable}
    assert await events(store.log) == [STARTED]


async def test_an_offer_that_waits_is_told_that_it_waits_in_vain(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    break_log(stranger)
    stranger.execute("begin immediate")
    telling = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    await asyncio.sleep(0)
    waiting = asyncio.ensure_future(store.log.offer("run", 1, [TOO_MUCH] * 6))
    await asyncio.sleep(0)
    stranger.execute("rollback")
    for future in (telling, waiting):
        with pytest.raises(LogUnavailable):
            await future
    mend_log(stranger)
    assert await store.log.append("run", 1, [StopRequested()]) == 2


async def test_an_offer_that_waits_for_the_spool_to_empty_is_told_that_it_does_not(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    break_log(stranger)
    with pytest.raises(LogUnavailable, match="broken"):
        await store.log.offer("run", 1, [TOO_MUCH] * 6)
    mend_log(stranger)
    await store.log.offer("run", 1, [text("on it goes")])
    assert await store.log.append("run", 1, [StopRequested()]) == 9
    said = [STARTED, *[TOO_MUCH] * 6, text("on it goes"), StopRequested()]
    assert await events(store.log) == said


async def test_a_file_that_changes_behind_our_back_stops_us(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("update runs set epoch = 7")
    with pytest.raises(LogUnavailable, match="somebody else"):
        await store.log.append("run", 1, [StopRequested()])
    with pytest.raises(Fenced):
        await store.log.append("run", 1, [StopRequested()])
    assert await events(store.log) == [STARTED]


# ── when the process dies ───────────────────────────────────────────────────────────────────


async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.adapters.sqlite.writing", str(tmp_path / "db")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged: dict[str, int] = {}
        for line in writer.stdout:
            run_id, seq = line.split()
            acknowledged[run_id] = int(seq)
            if sum(acknowledged.values()) > 400:
                break
        writer.kill()
    store = SqliteStore(tmp_path / "db")
    appends = 0
    for run_id, seq in acknowledged.items():
        batch = await store.log.read(run_id)
        run = await store.runs.get(run_id)
        assert batch is not None
        assert run is not None
        assert [entry.seq for entry in batch.entries] == list(range(1, run.last_seq + 1))
        assert run.last_seq >= seq
        # Deltas behind the last fact may have made it; what is marked stands or falls with it.
        marked = max(entry.seq for entry in batch.entries if entry.event == StopRequested())
        appends += marked // 4
        assert run.output == f"{run_id} up to {marked}"
        (hit,) = await store.sessions.search(Search("tenant", f"{marked} {run_id}"))
        assert hit.run_id == run_id
        epoch = await store.runs.take(run_id)
        assert await store.log.append(run_id, epoch, [StopRequested()]) == run.last_seq + 1
    (used,) = await store.usage.find(UsageFilter(0, 1_000_000))
    assert (used.calls, used.cost) == (appends, appends)
    await store.close()
