"""Ids lead back to what they name, and to nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire.responses.ids import Leg, input_id, leg_of, output_id, owner_of, response_id

runs = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=1, max_size=22).map("run_{}".format)
afters = st.integers(0, 10**9)
kinds = st.sampled_from(["msg", "rs", "fc", "fco", "mcp", "cmp"])


@given(runs, afters)
def test_a_response_leads_back_to_its_leg(run_id: str, after: int) -> None:
    assert leg_of(response_id(run_id, after)) == Leg(run_id, after)


@given(runs, afters, kinds, st.integers(0, 10**9), st.integers(0, 30))
def test_an_item_leads_back_to_its_response(
    run_id: str, after: int, kind: str, place: int, nth: int
) -> None:
    owner = response_id(run_id, after)
    assert owner_of(output_id(kind, owner, place, nth)) == owner
    assert owner_of(input_id(kind, owner, place)) == owner


@given(runs, afters, kinds, st.integers(0, 99), st.integers(0, 99), st.integers(0, 9))
def test_no_two_items_share_an_id(
    run_id: str, after: int, kind: str, one: int, other: int, nth: int
) -> None:
    owner = response_id(run_id, after)
    places = {(one, nth), (other, 0), (one, nth + 1)}
    made = {output_id(kind, owner, *place) for place in places}
    assert len(made | {input_id(kind, owner, one)}) == len(places) + 1


@pytest.mark.parametrize(
    "foreign",
    ["", "resp_", "resp_a_b", "resp_a_0", "resp_a_01", "run_a", "resp_a_1_2", "resp_a_1\n", "x"],
)
def test_what_is_no_id_of_a_response_leads_nowhere(foreign: str) -> None:
    assert leg_of(foreign) is None


@pytest.mark.parametrize(
    "foreign", ["", "msg_a", "msg_a_5", "msg_a_x5", "call_a_o1", "msg__o1", "?"]
)
def test_what_is_no_id_of_an_item_has_no_owner(foreign: str) -> None:
    assert owner_of(foreign) is None
