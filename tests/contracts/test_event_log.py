"""What every event log promises."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.core.events import (
    AnyEvent,
    CallDelta,
    Entry,
    Notice,
    OutputDelta,
    ReasoningClosed,
    ReasoningDelta,
    RunEnded,
    StopRequested,
    TextDelta,
    UsageReported,
)
from angelia.core.messages import Usage
from angelia.errors import Conflict, Fenced, NotFound
from angelia.ports import Claim, Held
from tests.contracts.stores import (
    ENDED,
    KINDS,
    STARTED,
    Store,
    begin,
    collect,
    end,
    events,
    open_store,
    record,
    text,
)

LATER = 2_000_000.0
REPLAYED = Held("first", replayed=True)


async def write_twenty(store: Store, run_id: str = "run") -> None:
    """Twenty entries of all shapes: alone and in batches, facts and deltas and both at once."""
    log = store.log
    await begin(store, run_id)
    for number in range(5):
        await log.offer(run_id, 1, [text(f"{number}a"), text(f"{number}b")])
    await log.append(run_id, 1, [text("mixed"), StopRequested(), text("mixed"), text("more")])
    await log.append(run_id, 1, [StopRequested("somebody"), StopRequested("else")])
    await log.offer(run_id, 1, [text("last"), text("words")])
    await end(store, run_id)


# ── the sequence ────────────────────────────────────────────────────────────────────────────


async def test_a_run_begins_with_its_first_events(store: Store) -> None:
    assert await store.log.create(record("run"), [STARTED, StopRequested()]) == Held("run")
    assert await events(store.log) == [STARTED, StopRequested()]


async def test_every_run_counts_from_one_without_a_gap(store: Store) -> None:
    await asyncio.gather(write_twenty(store, "one"), write_twenty(store, "two"))
    for run_id in ("one", "two"):
        batch = await store.log.read(run_id)
        assert batch is not None
        assert [entry.seq for entry in batch.entries] == list(range(1, 21))
        assert {entry.run_id for entry in batch.entries} == {run_id}


async def test_an_append_answers_with_its_last_seq(store: Store) -> None:
    await begin(store)
    assert await store.log.append("run", 1, [StopRequested(), StopRequested()]) == 3
    await store.log.offer("run", 1, [text("a"), text("b")])
    assert await store.log.append("run", 1, [StopRequested()]) == 6


async def test_the_order_of_calls_is_the_order_of_the_log(store: Store) -> None:
    await begin(store)
    calls = [
        store.log.offer("run", 1, [text(str(number))])
        if number % 3
        else store.log.append("run", 1, [StopRequested(str(number))])
        for number in range(60)
    ]
    await asyncio.gather(*map(asyncio.ensure_future, calls))
    await end(store)
    said = [
        event.text if isinstance(event, TextDelta) else event.by
        for event in await events(store.log)
        if isinstance(event, TextDelta | StopRequested)
    ]
    assert said == [str(number) for number in range(60)]


async def test_an_append_reads_its_events_before_it_waits(store: Store) -> None:
    await begin(store)
    mine: list[AnyEvent] = [StopRequested("before")]
    appending = asyncio.ensure_future(store.log.append("run", 1, mine))
    await asyncio.sleep(0)
    mine[0] = StopRequested("after")
    await appending
    assert await events(store.log) == [STARTED, StopRequested("before")]


async def test_an_offer_is_visible_before_the_append_that_follows_it(store: Store) -> None:
    await begin(store)
    await store.log.offer("run", 1, [text("first")])
    await store.log.append("run", 1, [StopRequested()])
    assert await events(store.log) == [STARTED, text("first"), StopRequested()]


async def test_offering_nothing_writes_nothing(store: Store) -> None:
    await begin(store)
    await store.log.offer("run", 1, [])
    assert await store.log.append("run", 1, [StopRequested()]) == 2


async def test_entries_that_were_written_together_share_their_time(store: Store) -> None:
    await begin(store)
    store.clock.advance(5)
    await store.log.append("run", 1, [StopRequested(), text("a"), StopRequested()])
    batch = await store.log.read("run", after=1)
    assert batch is not None
    assert [entry.at for entry in batch.entries] == [store.clock.now()] * 3


async def test_the_sequence_goes_on_where_it_was_after_a_restart(store: Store) -> None:
    await begin(store)
    await store.log.offer("run", 1, [text("a"), text("b")])
    await store.log.append("run", 1, [StopRequested()])
    await store.reopen()
    await store.log.offer("run", 1, [text("c")])
    assert await store.log.append("run", 1, [StopRequested()]) == 6


async def test_what_is_offered_is_kept_when_the_log_is_closed(store: Store) -> None:
    await begin(store)
    await store.log.offer("run", 1, [text("a")])
    await store.reopen()
    assert await events(store.log) == [STARTED, text("a")]


async def test_events_come_back_as_they_went_in(store: Store) -> None:
    written = [
        UsageReported(Usage(1, 2, 3), "m"),
        OutputDelta("call", 'quotes " and \n newlines \u2028 and 🚀', 7, "stderr"),
        Notice("retry", ""),
    ]
    await begin(store)
    await store.log.append("run", 1, written)
    await store.reopen()
    assert (await events(store.log))[1:] == written


# ── reading ─────────────────────────────────────────────────────────────────────────────────


async def test_a_reader_at_any_cursor_gets_exactly_the_rest(store: Store) -> None:
    await write_twenty(store)
    await store.reopen()
    whole = await collect(store.log)
    assert [entry.seq for entry in whole] == list(range(1, 21))
    for cursor in range(22):
        assert await collect(store.log, after=cursor) == whole[cursor:]


async def test_a_live_reader_at_any_cursor_gets_exactly_the_rest(store: Store) -> None:
    await begin(store)
    readers = [asyncio.create_task(collect(store.log, after=cursor)) for cursor in range(12)]
    for number in range(9):
        await store.log.offer("run", 1, [text(str(number))])
        await asyncio.sleep(0)
    await end(store)
    whole = await collect(store.log)
    assert len(whole) == 11
    assert await asyncio.gather(*readers) == [whole[cursor:] for cursor in range(12)]


async def test_readers_may_join_at_any_time(store: Store) -> None:
    await begin(store)
    readers: list[asyncio.Task[list[Entry]]] = []
    for number in range(20):
        readers.append(asyncio.create_task(collect(store.log)))
        await store.log.offer("run", 1, [text(str(number)), text("and")])
        if number % 4 == 0:
            await store.log.append("run", 1, [StopRequested()])
    await end(store)
    whole = await collect(store.log)
    assert all(seen == whole for seen in await asyncio.gather(*readers))


async def test_a_slow_reader_holds_up_nobody(store: Store) -> None:
    await begin(store)
    slow = store.log.follow("run")
    seen = list((await anext(slow)).entries)
    for number in range(300):
        await store.log.offer("run", 1, [text(str(number))])
        if number % 50 == 0:
            await store.log.append("run", 1, [StopRequested()])
    await end(store)
    async for batch in slow:
        seen += batch.entries
    assert seen == await collect(store.log)
    assert len(seen) == 308


async def test_a_reader_that_is_cancelled_harms_nobody(store: Store) -> None:
    await begin(store)
    leaving = asyncio.create_task(collect(store.log))
    staying = asyncio.create_task(collect(store.log))
    await store.log.append("run", 1, [StopRequested()])
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    await end(store)
    assert [entry.seq for entry in await staying] == [1, 2, 3]


async def test_a_cursor_behind_the_end_ends_with_the_run(store: Store) -> None:
    await begin(store)
    ahead = asyncio.create_task(collect(store.log, after=10**30))
    await store.log.append("run", 1, [StopRequested()])
    await end(store)
    assert await ahead == []
    assert await collect(store.log, after=3) == []


async def test_following_an_unknown_run_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        await anext(store.log.follow("nowhere"))


async def test_a_reader_learns_that_its_run_was_deleted(store: Store) -> None:
    await begin(store)
    follower = store.log.follow("run")
    await anext(follower)
    waiting = asyncio.ensure_future(anext(follower))
    await asyncio.sleep(0)
    await store.runs.delete("run")
    with pytest.raises(NotFound):
        await waiting


async def test_reading_gives_what_lies_behind_the_cursor(store: Store) -> None:
    await write_twenty(store)
    whole = await collect(store.log)
    for cursor in range(20):
        batch = await store.log.read("run", after=cursor)
        assert batch is not None
        assert list(batch.entries) == whole[cursor:]
    assert await store.log.read("run", after=20) is None
    assert await store.log.read("nowhere") is None


async def test_reading_facts_leaves_out_every_delta(store: Store) -> None:
    await write_twenty(store)
    whole = await collect(store.log)
    facts = [entry for entry in whole if not isinstance(entry.event, TextDelta)]
    assert len(facts) == 5
    for cursor in range(21):
        batch = await store.log.read("run", after=cursor, facts_only=True)
        expected = [entry for entry in facts if entry.seq > cursor]
        assert list(batch.entries if batch else ()) == expected


# ── the fence ───────────────────────────────────────────────────────────────────────────────


async def test_who_lost_the_run_is_fenced_and_who_took_it_writes_on(store: Store) -> None:
    await begin(store)
    await store.log.offer("run", 1, [text("old")])
    assert await store.runs.take("run") == 2
    with pytest.raises(Fenced):
        await store.log.append("run", 1, [StopRequested()])
    with pytest.raises(Fenced):
        await store.log.offer("run", 1, [text("zombie")])
    await store.log.offer("run", 2, [text("new")])
    await end(store, epoch=2)
    assert await events(store.log) == [STARTED, text("old"), text("new"), ENDED]


async def test_the_fence_stands_after_a_restart(store: Store) -> None:
    await begin(store)
    await store.runs.take("run")
    await store.reopen()
    with pytest.raises(Fenced):
        await store.log.offer("run", 1, [text("zombie")])
    with pytest.raises(Fenced):
        await store.log.append("run", 1, [StopRequested()])
    assert await store.log.append("run", 2, [StopRequested()]) == 2


async def test_nothing_of_a_zombie_lands_behind_a_takeover_under_way(store: Store) -> None:
    await begin(store)
    taking = asyncio.ensure_future(store.runs.take("run"))
    await asyncio.sleep(0)
    zombie = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    assert await taking == 2
    with pytest.raises(Fenced):
        await zombie
    assert await events(store.log) == [STARTED]


async def test_nothing_follows_the_end(store: Store) -> None:
    await begin(store)
    ending = asyncio.ensure_future(end(store))
    await asyncio.sleep(0)
    with pytest.raises(Fenced):
        await store.log.offer("run", 1, [text("too late")])
    await ending
    for reopened in range(2):
        with pytest.raises(Fenced):
            await store.log.append("run", 1, [StopRequested()])
        with pytest.raises(Fenced):
            await store.log.offer("run", 1, [text("too late")])
        if not reopened:
            await store.reopen()
    assert await events(store.log) == [STARTED, ENDED]


async def test_a_run_that_does_not_exist_cannot_be_written(store: Store) -> None:
    with pytest.raises(Fenced, match="nowhere"):
        await store.log.append("nowhere", 1, [StopRequested()])
    with pytest.raises(Fenced, match="nowhere"):
        await store.log.offer("nowhere", 1, [text("a")])


# ── claims ──────────────────────────────────────────────────────────────────────────────────


async def test_the_same_claim_means_the_same_run(store: Store) -> None:
    claim = Claim("key", "body", LATER)
    assert await store.log.create(record("first"), [STARTED], claim) == Held("first")
    await store.reopen()
    assert await store.log.create(record("second"), [STARTED], claim) == REPLAYED
    assert await store.runs.get("second") is None
    assert await store.log.read("second") is None
    assert await events(store.log, "first") == [STARTED]


async def test_a_claim_for_something_else_is_a_conflict(store: Store) -> None:
    await store.log.create(record("first"), [STARTED], Claim("key", "body", LATER))
    with pytest.raises(Conflict, match="choose a new key") as caught:
        await store.log.create(record("second"), [STARTED], Claim("key", "other", LATER))
    assert caught.value.code == "idempotency_key_conflict"
    assert await store.runs.get("second") is None


async def test_tenants_do_not_share_claims(store: Store) -> None:
    claim = Claim("key", "body", LATER)
    await store.log.create(record("first", tenant="one"), [STARTED], claim)
    assert await store.log.create(record("second", tenant="two"), [STARTED], claim) == Held(
        "second"
    )


async def test_a_claim_is_free_again_when_its_time_is_over(store: Store) -> None:
    soon = store.clock.now() + 10
    await store.log.create(record("first"), [STARTED], Claim("key", "body", soon))
    store.clock.advance(9)
    claim = Claim("key", "other", soon + 10)
    with pytest.raises(Conflict):
        await store.log.create(record("second"), [STARTED], claim)
    store.clock.advance(1)
    assert await store.log.create(record("second"), [STARTED], claim) == Held("second")


async def test_a_deleted_run_gives_its_claim_back(store: Store) -> None:
    claim = Claim("key", "body", LATER)
    await store.log.create(record("first"), [STARTED], claim)
    await store.runs.delete("first")
    assert await store.log.create(record("second"), [STARTED], claim) == Held("second")


async def test_twenty_at_once_with_one_claim_start_one_run(store: Store) -> None:
    claim = Claim("key", "body", LATER)
    creating = [store.log.create(record(f"run{n}"), [STARTED], claim) for n in range(20)]
    first, *others = sorted(await asyncio.gather(*creating), key=lambda held: held.replayed)
    winner = first.run_id
    assert first == Held(winner)
    assert others == [Held(winner, replayed=True)] * 19
    assert [run.id for run in await store.runs.unfinished()] == [winner]


async def test_a_run_is_created_once(store: Store) -> None:
    await begin(store)
    with pytest.raises(Conflict):
        await begin(store)
    assert await events(store.log) == [STARTED]


# ── any interleaving ────────────────────────────────────────────────────────────────────────

run_ids = st.sampled_from(("a", "b", "c"))
steps = st.one_of(
    st.tuples(st.just("offer"), run_ids, st.integers(1, 3)),
    st.tuples(st.just("append"), run_ids, st.integers(1, 3)),
    st.tuples(st.just("mixed"), run_ids, st.integers(1, 2)),
    st.tuples(st.just("follow"), run_ids, st.integers(0, 6)),
    st.tuples(st.just("take"), run_ids, st.just(0)),
    st.tuples(st.just("rest"), run_ids, st.integers(1, 5)),
    st.tuples(st.just("end"), run_ids, st.just(0)),
)


class Interleaving:
    """Runs a program of steps against a log, and the same steps against plain lists."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.model: dict[str, list[AnyEvent]] = {}
        self.epochs: dict[str, int] = {}
        self.readers: list[tuple[str, int, asyncio.Task[list[Entry]]]] = []
        self.writing: list[asyncio.Future[int]] = []

    async def run(self, program: list[tuple[str, str, int]]) -> None:
        for run_id in ("a", "b", "c"):
            self.model[run_id] = [STARTED]
            self.epochs[run_id] = 1
            await begin(self.store, run_id)
        for verb, run_id, number in program:
            await self.step(verb, run_id, number)
        for run_id in self.model:
            await self.step("end", run_id, 0)
        await asyncio.gather(*self.writing)
        await self.check()

    async def step(self, verb: str, run_id: str, number: int) -> None:
        if verb == "follow":
            reader = asyncio.create_task(collect(self.store.log, run_id, number))
            self.readers.append((run_id, number, reader))
        elif verb == "rest":
            for _ in range(number):
                await asyncio.sleep(0)
        elif isinstance(self.model[run_id][-1], RunEnded):
            with pytest.raises(Fenced):
                await self.store.log.append(run_id, self.epochs[run_id], [StopRequested()])
        elif verb == "take":
            self.epochs[run_id] = await self.store.runs.take(run_id)
        else:
            await self.write(verb, run_id, number)

    async def write(self, verb: str, run_id: str, number: int) -> None:
        model, epoch = self.model[run_id], self.epochs[run_id]
        new: list[AnyEvent] = [ENDED]
        if verb == "offer":
            deltas = [text(f"{len(model)} {n}") for n in range(number)]
            model += deltas
            await self.store.log.offer(run_id, epoch, deltas)
            return
        if verb == "append":
            new = [StopRequested(f"{len(model)} {n}") for n in range(number)]
        elif verb == "mixed":
            new = [text("before"), StopRequested(), text("after")] * number
        model += new
        # The place in the log is taken by the first step of the call, not by its end.
        self.writing.append(asyncio.ensure_future(self.store.log.append(run_id, epoch, new)))
        await asyncio.sleep(0)

    async def check(self) -> None:
        for run_id, model in self.model.items():
            whole = await collect(self.store.log, run_id)
            assert [entry.event for entry in whole] == model
            assert [entry.seq for entry in whole] == list(range(1, len(model) + 1))
        for run_id, after, reader in self.readers:
            assert [entry.event for entry in await reader] == self.model[run_id][after:]


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(program=st.lists(steps, max_size=40))
def test_any_interleaving_gives_every_reader_the_whole_story(
    kind: str, tmp_path_factory: pytest.TempPathFactory, program: list[tuple[str, str, int]]
) -> None:
    async def play(folder: Path) -> None:
        store = open_store(kind, folder)
        try:
            await Interleaving(store).run(program)
        finally:
            await store.close()

    asyncio.run(play(tmp_path_factory.mktemp("log")))


# ── outlines ────────────────────────────────────────────────────────────────────────────────


async def test_an_outline_has_everything_of_each_run_but_pieces(store: Store) -> None:
    """In the order that was asked for; a run that nobody knows has none."""
    for run_id in ("one", "two"):
        await begin(store, run_id)
        await store.log.offer(run_id, 1, [text("a"), ReasoningDelta("h"), ReasoningClosed("h")])
        await store.log.append(run_id, 1, [CallDelta(0), Notice("c", run_id), StopRequested()])
        await store.log.offer(run_id, 1, [OutputDelta("c", "out")])
    await end(store, "one")
    await store.reopen()
    two, nothing, one = await store.log.outlines(["two", "nothing", "one"])
    kept = [STARTED, ReasoningClosed("h"), Notice("c", "two"), StopRequested()]
    assert [entry.event for entry in two] == kept
    assert [entry.seq for entry in two] == [1, 4, 6, 7]
    assert nothing == ()
    assert [entry.event for entry in one][-2:] == [StopRequested(), ENDED]
    whole = await store.log.read("one")
    assert whole is not None
    assert set(one) <= set(whole.entries)
    assert list(await store.log.outlines([])) == []
