"""Merging deltas loses nothing and leaves no neighbours of one kind."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.events import CallDelta, Notice, ReasoningDelta, TextDelta
from angelia.core.merge import merged

DELTAS = st.lists(
    st.builds(TextDelta, st.text(min_size=1, max_size=3))
    | st.builds(ReasoningDelta, st.text(min_size=1, max_size=3))
    | st.builds(CallDelta, st.integers(0, 2), st.text(max_size=3))
    | st.just(Notice("retry", "again"))
)


def spelled(deltas, kind) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, kind))


@given(DELTAS)
def test_nothing_is_lost_and_order_is_kept(deltas) -> None:
    result = merged(deltas)
    for kind in (TextDelta, ReasoningDelta):
        assert spelled(result, kind) == spelled(deltas, kind)
    rest = [d for d in deltas if not isinstance(d, TextDelta | ReasoningDelta)]
    assert [d for d in result if not isinstance(d, TextDelta | ReasoningDelta)] == rest
    assert merged(result) == result


@given(DELTAS)
def test_no_two_neighbours_are_prose_of_one_kind(deltas) -> None:
    for one, other in pairwise(merged(deltas)):
        assert type(one) is not type(other) or isinstance(one, CallDelta | Notice)


def test_a_piece_of_another_kind_keeps_them_apart() -> None:
    deltas = [TextDelta("a"), TextDelta("b"), CallDelta(0), TextDelta("c")]
    assert merged(deltas) == [TextDelta("ab"), CallDelta(0), TextDelta("c")]
