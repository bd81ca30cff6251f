"""What the runs of one group used, added up before it is written."""

from sqlite3 import Connection

from angelia.adapters.sqlite.bulk import Bulk
from angelia.core.days import day_of
from angelia.core.latency import Kind, bucket_of
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

_TIME = Bulk(
    "insert into latencies (tenant, day, model, kind, bucket, count) values",
    width=6,
    after="on conflict (tenant, day, model, kind, bucket) do update set "
    "count = count + excluded.count",
)


class Ledger:
    """What was timed was used, so there is nothing in `_times` that is not in `_rows`."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], _Sums] = {}
        self._times: dict[tuple[str, str, Kind, int], int] = {}

    def __bool__(self) -> bool:
        return bool(self._rows)

    def bill(self, tenant: str, bill: Bill) -> None:
        sums = self._sums(tenant, bill.model)
        sums.calls += 1
        sums.usage += bill.usage
        sums.cost += bill.cost
        if bill.took is not None:
            self._time(tenant, bill.model, "call", bill.took.seconds)
            self._time(tenant, bill.model, "first", bill.took.first)

    def ended(self, tenant: str, model: str, *, failed: bool, worked: float | None = None) -> None:
        sums = self._sums(tenant, model)
        sums.runs += 1
        sums.failed += failed
        self._time(tenant, model, "run", worked)

    def clear(self) -> None:
        self._rows.clear()
        self._times.clear()

    def write(self, connection: Connection, at: float) -> None:
        day = day_of(at)
        rows = [
            (tenant, day, model, *sums.values()) for (tenant, model), sums in self._rows.items()
        ]
        _ADD.execute(connection, rows)
        times = [
            (tenant, day, model, kind, bucket, count)
            for (tenant, model, kind, bucket), count in self._times.items()
        ]
        _TIME.execute(connection, times)
        self.clear()

    def _time(self, tenant: str, model: str, kind: Kind, seconds: float | None) -> None:
        if seconds is not None:
            place = (tenant, model, kind, bucket_of(seconds))
            self._times[place] = self._times.get(place, 0) + 1

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
