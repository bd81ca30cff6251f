"""What was used, by day, key and model."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct, field

from angelia.core.latency import Kind
from angelia.core.messages import Usage


class UsageFilter(Struct, frozen=True):
    """Days count from the epoch, in UTC; both are included. Without a tenant: all of them."""

    first_day: int
    last_day: int
    tenant: str | None = None


class UsageRow(Struct, frozen=True):
    """What one tenant used on one day of one model.

    Runs are counted when they end, under the name the client asked for; calls under the model
    that the provider named.
    """

    day: int
    tenant: str
    model: str
    runs: int = 0
    failed: int = 0
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0


class LatencyRow(Struct, frozen=True):
    """How often something of one tenant, day and model took as long as a bucket says.

    Named and counted as `UsageRow` is; the buckets are those of `core.latency`.
    """

    day: int
    tenant: str
    model: str
    kind: Kind
    bucket: int
    count: int


class UsageStore(Protocol):
    """Outlives the runs it was counted from."""

    async def find(self, wanted: UsageFilter) -> Sequence[UsageRow]:
        """By day, tenant and model."""
        ...

    async def latencies(self, wanted: UsageFilter) -> Sequence[LatencyRow]:
        """By day, tenant, model, kind and bucket. Of runs that were stopped there are none."""
        ...

    async def cost(self, tenant: str, first_day: int) -> float:
        """From that day on."""
        ...
