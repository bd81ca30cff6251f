"""What was used, by day, key and model, in memory."""

from collections.abc import Sequence

from angelia.adapters.memory.log import MemoryLog
from angelia.ports import LatencyRow, UsageFilter, UsageRow


class MemoryUsage:
    """The ledger of a MemoryLog."""

    def __init__(self, log: MemoryLog) -> None:
        self._ledger = log.ledger

    async def find(self, wanted: UsageFilter) -> Sequence[UsageRow]:
        return tuple(row for row in self._ledger.rows() if _is_wanted(row, wanted))

    async def latencies(self, wanted: UsageFilter) -> Sequence[LatencyRow]:
        return tuple(row for row in self._ledger.times() if _is_wanted(row, wanted))

    async def cost(self, tenant: str, first_day: int) -> float:
        rows = self._ledger.rows()
        return sum(row.cost for row in rows if row.tenant == tenant and row.day >= first_day)


def _is_wanted(row: UsageRow | LatencyRow, wanted: UsageFilter) -> bool:
    if wanted.tenant not in (None, row.tenant):
        return False
    return wanted.first_day <= row.day <= wanted.last_day
