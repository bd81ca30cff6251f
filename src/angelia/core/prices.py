"""What tokens cost."""

from collections.abc import Mapping

from msgspec import Struct

from angelia.core.messages import Usage

MILLION = 1_000_000


class Price(Struct, frozen=True):
    """What a million tokens cost. None is the price of input."""

    input: float
    output: float
    cached: float | None = None
    cache_written: float | None = None


def cost(usage: Usage, price: Price | None) -> float:
    """In the currency of the price; a model without a price costs nothing."""
    if price is None:
        return 0.0
    cached = price.input if price.cached is None else price.cached
    written = price.input if price.cache_written is None else price.cache_written
    # Some providers count what they cached twice over; nothing costs less than nothing.
    plain = max(0, usage.input - usage.cached - usage.cache_written)
    parts = (
        plain * price.input,
        usage.cached * cached,
        usage.cache_written * written,
        usage.output * price.output,
    )
    return sum(parts) / MILLION


class Prices:
    """By the exact name of a model, else by the longest beginning that is written with a `*`."""

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._exact = {name: price for name, price in table.items() if not name.endswith("*")}
        beginnings = [(name[:-1], price) for name, price in table.items() if name.endswith("*")]
        self._beginnings = sorted(beginnings, key=lambda pair: len(pair[0]), reverse=True)

    def find(self, *names: str | None) -> Price | None:
        """The price of the first of `names` that has one."""
        return next((price for name in names if name and (price := self._of(name))), None)

    def _of(self, name: str) -> Price | None:
        if name in self._exact:
            return self._exact[name]
        return next((price for start, price in self._beginnings if name.startswith(start)), None)
