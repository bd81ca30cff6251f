"""What to do at start-up with runs whose driver died with its process."""

from msgspec.structs import replace

from angelia.ports import EventLog, RunRecord, RunStore
from angelia.runtime.runs import Runs


async def recover(runs: Runs, store: RunStore, log: EventLog) -> int:
    """Takes over every run that was under way; answers how many.

    A run that waits for a person or a client has nothing to take over: it goes on at their word.
    """
    orphans = [record for record in await store.unfinished() if _was_driven(record)]
    for record in orphans:
        epoch = await store.take(record.id)
        written = await log.read(record.id)
        events = [entry.event for entry in written.entries] if written else []
        runs.resume(replace(record, epoch=epoch), events)
    return len(orphans)


def _was_driven(record: RunRecord) -> bool:
    return record.status not in ("waiting_for_approval", "waiting_for_client")
