"""What the runs of one group used, added up before it is written."""

from sqlite3 import Connection

from angelia.adapters.sqlite.bulk import Bulk
from angelia.core.days import day_of
from angelia.core.messages import Usage
from angelia.ports import Bill

MOST_TOKENS = 2**53

_COUNTED = (
    "runs",
    "failed",
    "calls",
    "input",
    "output",
    "cached",
    "cache_written",
    "reasoning",
    "cost",
)
_ADD = Bulk(
    f"insert into usage (tenant, day, model, {', '.join(_COUNTED)}) values",
    width=3 + len(_COUNTED),
    after="on conflict (tenant, day, model) do update set "
    + ", ".join(f"{name} = {name} + excluded.{name}" for name in _COUNTED),
)


class Ledger:
    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], _Sums] = {}

    def __bool__(self) -> bool:
        return bool(self._rows)

    def bill(self, tenant: str, bill: Bill) -> None:
        sums = self._sums(tenant, bill.model)
        sums.calls += 1
        sums.usage += bill.usage
        sums.cost += bill.cost

    def ended(self, tenant: str, model: str, *, failed: bool) -> None:
        sums = self._sums(tenant, model)
        sums.runs += 1
        sums.failed += failed

    def clear(self) -> None:
        self._rows.clear()

    def write(self, connection: Connection, at: float) -> None:
        day = day_of(at)
        rows = [
            (tenant, day, model, *sums.values()) for (tenant, model), sums in self._rows.items()
        ]
        _ADD.execute(connection, rows)
        self._rows.clear()

    def _sums(self, tenant: str, model: str) -> "_Sums":
        return self._rows.setdefault((tenant, model), _Sums())


class _Sums:
    __slots__ = ("calls", "cost", "failed", "runs", "usage")

    def __init__(self) -> None:
        self.runs = self.failed = self.calls = 0
        self.usage = Usage()
        self.cost = 0.0

    def values(self) -> tuple[int | float, ...]:
        used = self.usage
        tokens = (used.input, used.output, used.cached, used.cache_written, used.reasoning)
        # A provider may say what it likes; SQLite's integers end at 64 bits.
        counted = (max(-MOST_TOKENS, min(count, MOST_TOKENS)) for count in tokens)
        return (self.runs, self.failed, self.calls, *counted, self.cost)
