"""What was used, added up by day, model or key."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from angelia.core.latency import Kind, Spread, spread
from angelia.core.messages import Usage
from angelia.ports import LatencyRow, UsageRow

Group = Literal["day", "model", "key"]


class Latency(Struct, frozen=True):
    """None is what was never timed."""

    run: Spread | None = None
    call: Spread | None = None
    first: Spread | None = None


class Account(Struct, frozen=True):
    """What is added up over has no value here: all days, all models, all keys."""

    day: int | None = None
    model: str | None = None
    tenant: str | None = None
    runs: int = 0
    failed: int = 0
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    latency: Latency = Latency()

    @property
    def place(self) -> tuple[int, str, str]:
        return self.day or 0, self.model or "", self.tenant or ""


def added_up(
    rows: Iterable[UsageRow], groups: Sequence[Group], times: Iterable[LatencyRow] = ()
) -> tuple[Account, ...]:
    """One for each day, model and key that is asked for, in this order."""
    accounts: dict[tuple[int, str, str], Account] = {}
    for row in rows:
        empty = _heading(row, groups)
        accounts[empty.place] = _plus(accounts.get(empty.place, empty), row)
    timed = _timed(times, groups)
    return tuple(
        replace(accounts[place], latency=timed.get(place, Latency())) for place in sorted(accounts)
    )


def total(rows: Iterable[UsageRow], times: Iterable[LatencyRow] = ()) -> Account:
    return next(iter(added_up(rows, (), times)), Account())


def _timed(
    times: Iterable[LatencyRow], groups: Sequence[Group]
) -> dict[tuple[int, str, str], Latency]:
    """What was timed was used as well, so each place is that of an account."""
    counts: dict[tuple[int, str, str], dict[Kind, Counter[int]]] = {}
    for row in times:
        kinds = counts.setdefault(_heading(row, groups).place, {})
        kinds.setdefault(row.kind, Counter())[row.bucket] += row.count
    return {
        place: Latency(*(spread(kinds.get(kind, {})) for kind in ("run", "call", "first")))
        for place, kinds in counts.items()
    }


def _heading(row: UsageRow | LatencyRow, groups: Sequence[Group]) -> Account:
    return Account(
        day=row.day if "day" in groups else None,
        model=row.model if "model" in groups else None,
        tenant=row.tenant if "key" in groups else None,
    )


def _plus(account: Account, row: UsageRow) -> Account:
    return Account(
        account.day,
        account.model,
        account.tenant,
        account.runs + row.runs,
        account.failed + row.failed,
        account.calls + row.calls,
        account.usage + row.usage,
        account.cost + row.cost,
    )
