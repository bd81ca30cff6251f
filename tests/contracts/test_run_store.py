"""What every store of run records promises."""

import pytest
from msgspec.structs import replace

from angelia.core.events import Failed, StopRequested
from angelia.core.messages import Usage
from angelia.errors import Fenced, NotFound
from angelia.ports import SEEDS, Mark, RunFilter, Summary
from tests.contracts.stores import ENDED, STARTED, Store, begin, end, record, text


async def found(store: Store, **wanted: object) -> list[str]:
    return [run.id for run in await store.runs.find(RunFilter("tenant", **wanted))]  # pyright: ignore


async def test_a_record_is_what_was_created(store: Store) -> None:
    await begin(store, "run", session_id="s", tenant="t", status="queued")
    await store.reopen()
    run = await store.runs.get("run")
    assert run is not None
    expected = record("run", tenant="t", session_id="s", status="queued")
    assert (run.id, run.tenant, run.session_id, run.status) == ("run", "t", "s", "queued")
    assert (run.model, run.surface, run.created_at) == ("angelia", "runs", expected.created_at)
    assert (run.epoch, run.last_seq) == (1, 1)


WHOLE = record(
    "run",
    tenant="t",
    session_id="s",
    status="queued",
    user="ada",
    session_key="memory",
    parent="run_before",
    question="What is it? 🚀",
    stored=False,
    epoch=3,
    delegated_by="run_above",
    delegated_call="call_1",
)
TOLD = Summary("It is\x00 this. 🚀", Usage(5, 4, 3, 2, 1), 0.125, Failed("why", "code"), ("c",))


async def test_a_record_comes_back_with_every_field(store: Store) -> None:
    store.clock.advance(3)
    await store.log.create(WHOLE, [STARTED])
    created = replace(WHOLE, last_seq=1, updated_at=store.clock.now())
    assert await store.runs.get("run") == created
    store.clock.advance(3)
    await store.log.append("run", 3, [StopRequested()], Mark("waiting_for_client", TOLD))
    await store.reopen()
    assert await store.runs.get("run") == replace(
        created,
        updated_at=store.clock.now(),
        status="waiting_for_client",
        last_seq=2,
        output=TOLD.output,
        usage=TOLD.usage,
        cost=TOLD.cost,
        error=TOLD.error,
    )


async def test_what_a_run_came_to_is_told_by_its_summary_alone(store: Store) -> None:
    lies = replace(WHOLE, output="lie", usage=Usage(9), cost=9.0, error=Failed("lie", "lie"))
    await store.log.create(replace(lies, last_seq=9), [STARTED])
    expected = replace(WHOLE, last_seq=1, updated_at=store.clock.now())
    assert await store.runs.get("run") == expected


async def test_the_last_summary_counts(store: Store) -> None:
    await begin(store)
    await store.log.append("run", 1, [StopRequested()], Mark("waiting_for_client", TOLD))
    last = Summary("second", Usage(1), 0.5)
    await store.log.append("run", 1, [ENDED], Mark("completed", last))
    run = await store.runs.get("run")
    assert run is not None
    assert (run.output, run.usage, run.cost, run.error) == ("second", Usage(1), 0.5, None)


async def test_a_run_may_learn_later_what_it_goes_on_from(store: Store) -> None:
    await begin(store, status="queued")
    await store.log.append("run", 1, [StopRequested()], Mark("running", parent="run_before"))
    await store.log.append("run", 1, [StopRequested()], Mark("running"))
    await store.reopen()
    run = await store.runs.get("run")
    assert run is not None
    assert (run.status, run.parent, run.last_seq) == ("running", "run_before", 3)


async def test_an_end_without_a_summary_leaves_the_last_one(store: Store) -> None:
    await begin(store)
    await store.log.append("run", 1, [StopRequested()], Mark("waiting_for_client", TOLD))
    await store.log.append("run", 1, [ENDED], Mark("cancelled"))
    run = await store.runs.get("run")
    assert run is not None
    assert (run.status, run.output, run.error) == ("cancelled", TOLD.output, TOLD.error)


async def test_a_run_can_be_created_whole(store: Store) -> None:
    await store.log.create(record("run", status="failed"), [STARTED, ENDED], None, TOLD)
    run = await store.runs.get("run")
    assert run is not None
    assert (run.status, run.output, run.cost, run.error) == (
        "failed",
        TOLD.output,
        TOLD.cost,
        TOLD.error,
    )
    assert list(await store.runs.unfinished()) == []
    with pytest.raises(Fenced):
        await store.log.append("run", 1, [StopRequested()])


async def test_a_run_that_is_not_stored_is_found_by_its_id_alone(store: Store) -> None:
    await begin(store, "hidden", stored=False)
    await begin(store, "shown")
    await end(store, "hidden")
    assert await store.runs.get("hidden") is not None
    assert await found(store) == ["shown"]
    assert await found(store, session_id="session") == ["shown"]
    assert await found(store, statuses=("completed",)) == []
    with pytest.raises(NotFound, match="hidden"):
        await found(store, before="hidden")


async def test_a_run_that_is_not_stored_goes_on_after_a_restart(store: Store) -> None:
    await begin(store, "hidden", stored=False)
    await store.reopen()
    assert [run.id for run in await store.runs.unfinished()] == ["hidden"]


async def test_an_unknown_run_has_no_record(store: Store) -> None:
    assert await store.runs.get("nowhere") is None


async def test_a_record_keeps_up_with_the_log(store: Store) -> None:
    await begin(store)
    store.clock.advance(7)
    await store.log.offer("run", 1, [text("a"), text("b")])
    await store.log.append("run", 1, [StopRequested()], Mark("stopping"))
    run = await store.runs.get("run")
    assert run is not None
    assert (run.status, run.last_seq, run.updated_at) == ("stopping", 4, store.clock.now())


async def test_events_without_a_status_leave_the_status_alone(store: Store) -> None:
    await begin(store)
    await store.log.append("run", 1, [StopRequested()], Mark("stopping"))
    await store.log.append("run", 1, [StopRequested()])
    run = await store.runs.get("run")
    assert run is not None
    assert run.status == "stopping"


async def test_a_status_can_change_without_an_event(store: Store) -> None:
    await begin(store)
    assert await store.log.append("run", 1, [], Mark("stopping")) == 1
    run = await store.runs.get("run")
    assert run is not None
    assert run.status == "stopping"


async def test_the_newest_runs_come_first(store: Store) -> None:
    for number in range(5):
        await begin(store, f"run{number}")
    assert await found(store) == ["run4", "run3", "run2", "run1", "run0"]
    assert await found(store, limit=2) == ["run4", "run3"]


async def test_pages_join_without_a_gap(store: Store) -> None:
    for number in range(7):
        await begin(store, f"run{number}")
    listed: list[str] = []
    while page := await found(store, limit=3, before=listed[-1] if listed else None):
        listed += page
    assert listed == [f"run{number}" for number in reversed(range(7))]


async def test_paging_from_an_unknown_run_is_not_found(store: Store) -> None:
    await begin(store, "mine")
    await begin(store, "theirs", tenant="other")
    for before in ("nowhere", "theirs"):
        with pytest.raises(NotFound, match=before) as caught:
            await found(store, before=before)
        assert caught.value.param == "before"


async def test_tenants_do_not_see_each_other(store: Store) -> None:
    await begin(store, "mine")
    await begin(store, "theirs", tenant="other")
    assert await found(store) == ["mine"]


async def test_runs_are_found_by_session_and_status(store: Store) -> None:
    await begin(store, "one", session_id="a")
    await begin(store, "two", session_id="b")
    await begin(store, "three", session_id="a")
    await end(store, "one")
    assert await found(store, session_id="a") == ["three", "one"]
    assert await found(store, statuses=("completed",)) == ["one"]
    assert await found(store, session_id="a", statuses=("running",)) == ["three"]
    assert await found(store, session_id="a", before="three") == ["one"]
    assert await found(store, session_id="c") == []


async def test_unfinished_are_those_without_an_end_oldest_first(store: Store) -> None:
    for name in ("one", "two", "three"):
        await begin(store, name)
    await end(store, "two")
    await store.reopen()
    assert [run.id for run in await store.runs.unfinished()] == ["one", "three"]


async def test_taking_a_run_raises_its_epoch(store: Store) -> None:
    await begin(store)
    assert await store.runs.take("run") == 2
    await store.reopen()
    assert await store.runs.take("run") == 3
    run = await store.runs.get("run")
    assert run is not None
    assert run.epoch == 3


async def test_an_unknown_run_cannot_be_taken(store: Store) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        await store.runs.take("nowhere")


async def test_a_deleted_run_leaves_nothing(store: Store) -> None:
    await begin(store)
    await begin(store, "other")
    await store.log.offer("run", 1, [text("a")])
    await store.runs.delete("run")
    assert await store.runs.get("run") is None
    assert await store.log.read("run") is None
    assert await found(store) == ["other"]
    assert await begin(store) == "run"
    assert await store.log.append("run", 1, [StopRequested()]) == 2


async def test_deleting_an_unknown_run_is_harmless(store: Store) -> None:
    await store.runs.delete("nowhere")


async def test_runs_that_nobody_worked_on_can_be_left_out(store: Store) -> None:
    await begin(store, "worked")
    for surface in SEEDS:
        await store.log.create(replace(record(surface), surface=surface), [STARTED, ENDED])
    await begin(store, "newest")
    assert await found(store) == ["newest", *reversed(SEEDS), "worked"]
    assert await found(store, seeds=False) == ["newest", "worked"]
    assert await found(store, seeds=False, before="newest", limit=1) == ["worked"]
    assert await found(store, seeds=False, session_id="session") == ["newest", "worked"]


async def test_runs_are_found_by_any_of_several_statuses(store: Store) -> None:
    for name in ("ended", "queued", "running"):
        await begin(store, name, status="queued" if name == "queued" else "running")
    await end(store, "ended")
    assert await found(store, statuses=("queued", "completed")) == ["queued", "ended"]
    assert await found(store, statuses=("completed", "queued"), before="queued") == ["ended"]
    assert await found(store, statuses=("failed", "cancelled")) == []


async def test_runs_are_found_by_model_and_surface(store: Store) -> None:
    for name, model, surface in (("a", "m", "chat"), ("b", "n", "chat"), ("c", "m", "runs")):
        await store.log.create(replace(record(name), model=model, surface=surface), [STARTED])
    assert await found(store, model="m") == ["c", "a"]
    assert await found(store, surface="chat") == ["b", "a"]
    assert await found(store, model="m", surface="chat") == ["a"]
    assert await found(store, model="M") == []


async def test_runs_are_found_by_a_part_of_the_question_whatever_its_case(store: Store) -> None:
    questions = ("Is 5% of Äpfel_Mus much?", "is 50 of äpfel-mus much", "back\\slash 'quote'", "")
    for number, question in enumerate(questions):
        await store.log.create(replace(record(f"run{number}"), question=question), [STARTED])
    assert await found(store, words="ÄPFEL") == ["run1", "run0"]
    assert await found(store, words="5%") == ["run0"]
    assert await found(store, words="L_M") == ["run0"]
    assert await found(store, words="K\\S") == ["run2"]
    assert await found(store, words="'QUOTE'") == ["run2"]
    assert await found(store, words="nowhere") == []
    assert len(await found(store, words="")) == len(questions)


async def test_runs_are_found_by_the_time_they_were_created(store: Store) -> None:
    for number in range(4):
        run = replace(record(f"run{number}"), created_at=100.5 + number)
        await store.log.create(run, [STARTED])
    assert await found(store, since=101.5) == ["run3", "run2", "run1"]
    assert await found(store, until=101.5) == ["run0"]
    assert await found(store, since=101.5, until=103.5) == ["run2", "run1"]
    assert await found(store, since=103.6) == []


async def test_runs_that_others_have_begun_can_be_left_out(store: Store) -> None:
    await begin(store, "above")
    await store.log.create(replace(record("below"), delegated_by="above"), [STARTED])
    assert await found(store) == ["below", "above"]
    assert await found(store, delegated=False) == ["above"]


async def test_pages_join_whatever_is_left_out(store: Store) -> None:
    for number in range(9):
        asked = replace(
            record(f"run{number}"),
            question="odd" if number % 2 else "even",
            delegated_by="above" if number == 5 else None,
        )
        await store.log.create(asked, [STARTED])
    wanted = {"words": "ODD", "delegated": False, "statuses": ("running",), "limit": 1}
    listed: list[str] = []
    while page := await found(store, **wanted, before=listed[-1] if listed else None):
        listed += page
    assert listed == ["run7", "run3", "run1"]
