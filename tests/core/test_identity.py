"""Ids of calls hold for a run and lead back to it."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.identity import Naming, client_call_id, run_of_call
from angelia.core.messages import Assistant, Reply, ToolCall, ToolSpec
from angelia.runtime.ids import fresh

IDS = st.sampled_from(["call_0", "call_1", "", "x"])
NAMES = st.sampled_from(["mine", "theirs"])
TOOLS = (ToolSpec("mine"), ToolSpec("theirs", owner="client"))


@given(st.integers(0, 10**6), st.integers(0, 100))
def test_a_clients_call_id_leads_back_to_its_run(step: int, index: int) -> None:
    run_id = fresh("run", 1.8e9)
    minted = client_call_id(run_id, step, index)
    assert run_of_call(minted) == run_id


def test_a_minted_id_is_short_enough_for_every_provider() -> None:
    assert len(client_call_id(fresh("run", 1.8e9), 999, 99)) <= 40


@given(st.text(max_size=30))
def test_foreign_ids_lead_nowhere_or_to_a_name_without_an_owner(text: str) -> None:
    found = run_of_call(text)
    assert found is None or found.startswith("run_")


@given(st.lists(st.tuples(IDS, NAMES), max_size=5), st.sets(IDS))
def test_every_call_of_a_reply_gets_an_id_of_its_own(wanted, used) -> None:
    naming = Naming("run_abc", 3, TOOLS, used)
    parts = tuple(ToolCall(given_id, name, "{}") for given_id, name in wanted)
    named = naming.apply(Reply(Assistant(parts), "tool_calls")).message.calls
    ids = [call.id for call in named]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & used
    assert all(run_of_call(call.id) for call in named if call.name == "theirs")
    assert naming.apply(Reply(Assistant(parts), "tool_calls")).message.calls == named
