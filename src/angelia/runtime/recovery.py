"""What to do at start-up with runs whose driver died with its process."""

from angelia.ports import RunStore
from angelia.runtime.runs import Runs


async def recover(runs: Runs, store: RunStore) -> int:
    """Goes on with every run that has no end; answers how many were under way."""
    return sum([await runs.resume(record) for record in await store.unfinished()])
