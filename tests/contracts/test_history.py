"""What every memory of claims and conversations promises."""

import pytest

from angelia.core.events import StopRequested
from angelia.errors import Conflict
from angelia.ports import Claim, Held, Mark
from tests.contracts.stores import ENDED, STARTED, Store, begin, end, events, record, say, summary

pytestmark = pytest.mark.parametrize("store", ["memory", "sqlite"], indirect=True)

LATER = 2_000_000.0
CLAIM = Claim("key", "body", LATER)
LIVE = Claim("key", "body", LATER, live_only=True)


# ── claims ──────────────────────────────────────────────────────────────────────────────────


async def test_a_claim_leads_to_the_run_that_holds_it(store: Store) -> None:
    assert await store.history.claimed("tenant", CLAIM) is None
    await store.log.create(record("run"), [STARTED], CLAIM)
    await store.reopen()
    assert await store.history.claimed("tenant", CLAIM) == Held("run", replayed=True)
    assert await store.history.claimed("other", CLAIM) is None


async def test_a_claim_for_something_else_is_a_conflict(store: Store) -> None:
    await store.log.create(record("run"), [STARTED], CLAIM)
    with pytest.raises(Conflict, match="choose a new key") as caught:
        await store.history.claimed("tenant", Claim("key", "other", LATER))
    assert caught.value.code == "idempotency_key_conflict"


async def test_a_claim_is_over_when_its_time_is(store: Store) -> None:
    soon = Claim("key", "body", store.clock.now() + 10)
    await store.log.create(record("run"), [STARTED], soon)
    store.clock.advance(9.5)
    assert await store.history.claimed("tenant", soon) == Held("run", replayed=True)
    store.clock.advance(0.5)
    assert await store.history.claimed("tenant", Claim("key", "other", LATER)) is None


async def test_a_claim_outlives_its_run_unless_it_holds_only_while_it_lives(store: Store) -> None:
    await store.log.create(record("lasting"), [STARTED], CLAIM)
    await store.log.create(record("living"), [STARTED], Claim("live", "body", LATER, True))
    live = Claim("live", "body", LATER)
    assert await store.history.claimed("tenant", live) == Held("living", replayed=True)
    await end(store, "lasting")
    await end(store, "living")
    assert await store.history.claimed("tenant", CLAIM) == Held("lasting", replayed=True)
    assert await store.history.claimed("tenant", live) is None
    assert await store.history.claimed("tenant", Claim("live", "other", LATER)) is None


async def test_what_is_over_with_its_run_can_be_claimed_anew(store: Store) -> None:
    await store.log.create(record("first"), [STARTED], LIVE)
    assert await store.log.create(record("second"), [STARTED], LIVE) == Held("first", 0, True)
    await end(store, "first")
    other = Claim("key", "other", LATER, live_only=True)
    assert await store.log.create(record("second"), [STARTED], other) == Held("second")
    assert await store.history.claimed("tenant", other) == Held("second", replayed=True)
    await store.runs.delete("first")
    assert await store.history.claimed("tenant", other) == Held("second", replayed=True)


async def test_a_marks_claim_leads_to_what_follows_its_events(store: Store) -> None:
    await begin(store)
    await store.log.append("run", 1, [StopRequested(), StopRequested()])
    mark = Mark("running", claim=CLAIM)
    assert await store.log.append("run", 1, [StopRequested()], mark) == 4
    await store.reopen()
    held = Held("run", after=3, replayed=True)
    assert await store.history.claimed("tenant", CLAIM) == held
    assert await store.log.create(record("other"), [STARTED], CLAIM) == held


@pytest.mark.parametrize(
    ("fingerprint", "code"), [("body", "claim_held"), ("other", "idempotency_key_conflict")]
)
async def test_an_append_whose_claim_is_held_writes_nothing(
    store: Store, fingerprint: str, code: str
) -> None:
    await store.log.create(record("holder"), [STARTED], CLAIM)
    await begin(store)
    before = await store.runs.get("run")
    mark = Mark("completed", summary("text", "chain"), claim=Claim("key", fingerprint, LATER))
    with pytest.raises(Conflict) as caught:
        await store.log.append("run", 1, [StopRequested(), ENDED], mark)
    assert caught.value.code == code
    assert await events(store.log) == [STARTED]
    assert await store.runs.get("run") == before
    assert await store.history.match("tenant", ["chain"]) is None
    assert await store.history.claimed("tenant", CLAIM) == Held("holder", replayed=True)
    # The run is as it was: it goes on, and may end.
    await store.log.offer("run", 1, [])
    assert await end(store) == 2


async def test_a_fenced_append_claims_nothing(store: Store) -> None:
    await begin(store)
    await end(store)
    with pytest.raises(Exception, match="ended"):
        await store.log.append("run", 1, [StopRequested()], Mark("running", claim=CLAIM))
    assert await store.history.claimed("tenant", CLAIM) is None


# ── conversations ───────────────────────────────────────────────────────────────────────────


async def test_the_first_chain_that_was_served_counts(store: Store) -> None:
    for name in ("short", "long"):
        await begin(store, name)
        await say(store, name, "text", f"{name} chain")
    await store.reopen()
    match = store.history.match
    assert await match("tenant", ["unknown", "long chain", "short chain"]) == ("long chain", "long")
    assert await match("tenant", ["short chain", "long chain"]) == ("short chain", "short")
    assert await match("tenant", ["unknown"]) is None
    assert await match("tenant", []) is None


async def test_the_newest_run_that_served_a_chain_counts(store: Store) -> None:
    for name in ("old", "new"):
        await begin(store, name)
    # The order of the runs, not that of their ends.
    await say(store, "new", "text", "chain")
    await say(store, "old", "text", "chain")
    assert await store.history.match("tenant", ["chain"]) == ("chain", "new")
    assert await store.history.match("tenant", ["chain"], "session") == ("chain", "new")
    await store.runs.delete("new")
    assert await store.history.match("tenant", ["chain"]) == ("chain", "old")
    await store.runs.delete("old")
    assert await store.history.match("tenant", ["chain"]) is None


async def test_a_session_may_be_insisted_on(store: Store) -> None:
    for name in ("one", "two"):
        await begin(store, name, session_id=name)
        await say(store, name, "text", "shared", f"only {name}")
    match = store.history.match
    assert await match("tenant", ["only two", "shared"], "one") == ("shared", "one")
    assert await match("tenant", ["shared"], "two") == ("shared", "two")
    assert await match("tenant", ["shared"], "three") is None


async def test_every_leg_of_a_run_adds_its_chains(store: Store) -> None:
    await begin(store)
    waiting = Mark("waiting_for_client", summary("first", "a", "b"))
    await store.log.append("run", 1, [StopRequested()], waiting)
    assert await store.history.match("tenant", ["b"]) == ("b", "run")
    await store.log.append("run", 1, [ENDED], Mark("completed", summary("second", "b", "c")))
    for chain in ("a", "b", "c"):
        assert await store.history.match("tenant", [chain]) == (chain, "run")


async def test_a_run_that_is_created_whole_was_served(store: Store) -> None:
    await store.log.create(record("run"), [STARTED, ENDED], None, summary("text", "chain"))
    assert await store.history.match("tenant", ["chain"]) == ("chain", "run")


async def test_nobody_is_matched_with_what_another_tenant_was_served(store: Store) -> None:
    await begin(store)
    await say(store, "run", "text", "chain")
    assert await store.history.match("other", ["chain"]) is None
    assert await store.history.match("other", ["chain"], "session") is None


@pytest.mark.parametrize("fields", [{"stored": False}, {"session_id": ""}])
async def test_what_others_may_not_find_matches_nothing(
    store: Store, fields: dict[str, object]
) -> None:
    await begin(store, **fields)  # pyright: ignore
    await say(store, "run", "text", "chain")
    assert await store.history.match("tenant", ["chain"]) is None
    assert await store.history.match("tenant", ["chain"], "session") is None
    run = await store.runs.get("run")
    assert run is not None
    assert run.output == "text"
