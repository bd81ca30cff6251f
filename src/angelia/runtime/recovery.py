"""What to do at start-up with runs whose driver died with its process."""

from angelia.core.state import Status
from angelia.ports import RunStore
from angelia.runtime.runs import Runs

WAITING: tuple[Status, ...] = ("waiting_for_approval", "waiting_for_client")


async def recover(runs: Runs, store: RunStore) -> int:
    """Takes over every run that was under way; answers how many.

    A run that waits for a person or a client goes on at their word.
    """
    taken = 0
    for record in await store.unfinished():
        if record.status in WAITING:
            await runs.keep_waiting(record)
        else:
            await runs.take_over(record)
            taken += 1
    return taken
