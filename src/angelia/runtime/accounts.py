"""What was used, added up by day, model or key."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct, field

from angelia.core.messages import Usage
from angelia.ports import UsageRow

Group = Literal["day", "model", "key"]


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


def added_up(rows: Iterable[UsageRow], groups: Sequence[Group]) -> tuple[Account, ...]:
    """One for each day, model and key that is asked for, in this order."""
    accounts: dict[tuple[int, str, str], Account] = {}
    for row in rows:
        empty = _heading(row, groups)
        place = (empty.day or 0, empty.model or "", empty.tenant or "")
        accounts[place] = _plus(accounts.get(place, empty), row)
    return tuple(accounts[place] for place in sorted(accounts))


def total(rows: Iterable[UsageRow]) -> Account:
    return next(iter(added_up(rows, ())), Account())


def _heading(row: UsageRow, groups: Sequence[Group]) -> Account:
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
