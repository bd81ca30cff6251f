"""What was used, by day, key and model, in memory."""

from collections.abc import Sequence

from angelia.adapters.memory.log import MemoryLog
from angelia.ports import UsageFilter, UsageRow


class MemoryUsage:
    """The ledger of a MemoryLog."""

    def __init__(self, log: MemoryLog) -> None:
        self._ledger = log.ledger

    async def find(self, wanted: UsageFilter) -> Sequence[UsageRow]:
        return tuple(
            row
            for row in self._ledger.rows()
            if wanted.first_day <= row.day <= wanted.last_day
            and wanted.tenant in (None, row.tenant)
        )

    async def cost(self, tenant: str, first_day: int) -> float:
        rows = self._ledger.rows()
        return sum(row.cost for row in rows if row.tenant == tenant and row.day >= first_day)
