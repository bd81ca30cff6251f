"""What was used adds up, however it is looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.latency import bucket_of, spread
from angelia.core.messages import Usage
from angelia.ports import LatencyRow, UsageRow
from angelia.runtime.accounts import Account, Group, Latency, added_up, total

ROWS = (
    UsageRow(1, "key_a", "angelia", runs=2, failed=1),
    UsageRow(1, "key_a", "gpt", calls=3, usage=Usage(10, 5), cost=0.5),
    UsageRow(1, "key_b", "gpt", calls=1, usage=Usage(1, 1), cost=0.25),
    UsageRow(2, "key_a", "gpt", calls=1, usage=Usage(2, 2, cached=1), cost=1.0),
)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ((), [(None, None, None, 1.75)]),
        (("day",), [(1, None, None, 0.75), (2, None, None, 1.0)]),
        (("model",), [(None, "angelia", None, 0.0), (None, "gpt", None, 1.75)]),
        (("key",), [(None, None, "key_a", 1.5), (None, None, "key_b", 0.25)]),
        (
            ("day", "key"),
            [(1, None, "key_a", 0.5), (1, None, "key_b", 0.25), (2, None, "key_a", 1.0)],
        ),
    ],
)
def test_rows_are_added_up_by_what_is_asked_for(
    groups: tuple[Group, ...], expected: list[tuple[int | None, str | None, str | None, float]]
) -> None:
    for rows in (ROWS, tuple(reversed(ROWS))):
        shown = [(a.day, a.model, a.tenant, a.cost) for a in added_up(rows, groups)]
        assert shown == expected


def test_every_amount_is_added_up() -> None:
    usage = Usage(13, 8, cached=1)
    assert total(ROWS) == Account(runs=2, failed=1, calls=5, usage=usage, cost=1.75)
    assert total(()) == Account()


counts = st.integers(0, 1000)
rows = st.lists(
    st.builds(
        UsageRow,
        st.integers(0, 3),
        st.sampled_from("ab"),
        st.sampled_from("xy"),
        counts,
        counts,
        counts,
        st.builds(Usage, counts, counts),
        counts.map(float),
    )
)


@given(rows, st.sets(st.sampled_from(["day", "model", "key"])))
def test_no_way_of_looking_at_it_loses_anything(rows: list[UsageRow], groups: set[Group]) -> None:
    parts = added_up(rows, tuple(groups))
    assert sum(part.cost for part in parts) == total(rows).cost
    assert sum(part.usage.total for part in parts) == total(rows).usage.total
    assert len({(part.day, part.model, part.tenant) for part in parts}) == len(parts)


SHORT, LONG = bucket_of(0.5), bucket_of(8.0)
TIMES = (
    LatencyRow(1, "key_a", "angelia", "run", LONG, 2),
    LatencyRow(1, "key_a", "gpt", "call", SHORT, 3),
    LatencyRow(1, "key_b", "gpt", "call", LONG, 1),
    LatencyRow(2, "key_a", "gpt", "call", SHORT, 1),
    LatencyRow(2, "key_a", "gpt", "first", SHORT, 1),
)


def test_times_are_merged_over_what_is_added_up() -> None:
    everything = total(ROWS, TIMES).latency
    assert everything == Latency(spread({LONG: 2}), spread({SHORT: 4, LONG: 1}), spread({SHORT: 1}))
    agent, gpt = added_up(ROWS, ("model",), TIMES)
    assert agent.latency == Latency(run=spread({LONG: 2}))
    assert gpt.latency == Latency(call=everything.call, first=everything.first)
    by_key = {account.tenant: account.latency for account in added_up(ROWS, ("key",), TIMES)}
    assert by_key["key_b"] == Latency(call=spread({LONG: 1}))


def test_a_line_that_nobody_timed_has_no_latency() -> None:
    assert total(ROWS).latency == Latency()
    assert total((), ()).latency == Latency()
