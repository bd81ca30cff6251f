"""What was served and claimed before, in memory."""

from collections.abc import Sequence

from angelia.adapters.memory.log import MemoryLog
from angelia.ports import Claim, Held


class MemoryHistory:
    """The claims and conversations of a MemoryLog."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log

    async def claimed(self, tenant: str, claim: Claim) -> Held | None:
        lease = self._log.lease(tenant, claim.key)
        return lease.answer(claim) if lease else None

    async def match(
        self, tenant: str, chains: Sequence[str], session_id: str | None = None
    ) -> tuple[str, str] | None:
        runs = [kept for kept in reversed(self._log.runs.values()) if kept.record.tenant == tenant]
        if session_id is not None:
            runs = [kept for kept in runs if kept.record.session_id == session_id]
        served = ((c, kept.record.id) for c in chains for kept in runs if c in kept.chains)
        return next(served, None)
