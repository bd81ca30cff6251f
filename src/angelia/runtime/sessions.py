"""A conversation is a chain of runs."""

from angelia.core.history import closed
from angelia.core.messages import Message
from angelia.ports import RunFilter
from angelia.runtime.runs import Runs


async def last_transcript(runs: Runs, tenant: str, session_id: str) -> tuple[Message, ...]:
    """All that was said in a session up to its latest run; nothing for a session that is new."""
    latest = await runs.find(RunFilter(tenant, session_id=session_id, limit=1))
    if not latest:
        return ()
    return closed((await runs.state(latest[0].id)).messages)
