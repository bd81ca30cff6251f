"""What tokens cost, and which price is whose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from angelia.core.messages import Usage
from angelia.core.prices import Price, Prices, cost

PLAIN = Price(input=2.0, output=10.0)
DETAILED = Price(input=2.0, output=10.0, cached=0.5, cache_written=4.0)
M = 1_000_000


@pytest.mark.parametrize(
    ("usage", "price", "expected"),
    [
        (Usage(input=M, output=M), None, 0.0),
        (Usage(), PLAIN, 0.0),
        (Usage(input=M), PLAIN, 2.0),
        (Usage(output=M), PLAIN, 10.0),
        (Usage(input=M, output=M, reasoning=M), PLAIN, 12.0),
        (Usage(input=M, cached=M), PLAIN, 2.0),
        (Usage(input=M, cached=M), DETAILED, 0.5),
        (Usage(input=M, cache_written=M), DETAILED, 4.0),
        (Usage(input=3 * M, cached=M, cache_written=M), DETAILED, 6.5),
        (Usage(input=M, cached=M), Price(2.0, 10.0, cached=0.0), 0.0),
        (Usage(input=0, cached=M), DETAILED, 0.5),
    ],
)
def test_every_kind_of_token_has_its_price(
    usage: Usage, price: Price | None, expected: float
) -> None:
    assert cost(usage, price) == pytest.approx(expected)


counts = st.integers(0, 10**9)
usages = st.builds(Usage, counts, counts, counts, counts, counts)


@given(usages, usages, st.sampled_from([PLAIN, DETAILED]))
def test_more_tokens_never_cost_less(first: Usage, second: Usage, price: Price) -> None:
    exact = Usage(first.input + first.cached + first.cache_written, *astuple(first)[1:])
    more = Usage(second.input + second.cached + second.cache_written, *astuple(second)[1:])
    together = cost(exact + more, price)
    assert together == pytest.approx(cost(exact, price) + cost(more, price))
    assert together >= cost(exact, price) >= 0


ONE, TWO, THREE, ANY = (Price(n, n) for n in (1.0, 2.0, 3.0, 4.0))
TABLE = {"gpt-5": ONE, "gpt-*": TWO, "gpt-5.4-*": THREE}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("gpt-5",), ONE),
        (("gpt-5.4",), TWO),
        (("gpt-5.4-mini",), THREE),
        (("gpt-",), TWO),
        (("gpt",), None),
        (("claude",), None),
        ((None, "", "gpt-5"), ONE),
        (("claude", "gpt-5.4-mini"), THREE),
        ((), None),
    ],
)
def test_the_exact_name_wins_then_the_longest_beginning(
    names: tuple[str | None, ...], expected: Price | None
) -> None:
    assert Prices(TABLE).find(*names) is expected
    assert Prices(dict(reversed(TABLE.items()))).find(*names) is expected


def test_a_lone_star_is_the_price_of_all_others() -> None:
    prices = Prices({**TABLE, "*": ANY})
    assert prices.find("claude") is ANY
    assert prices.find("gpt-5") is ONE
    assert Prices({}).find("claude") is None
