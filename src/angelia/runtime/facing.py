"""A run as it is shown to clients, told by its record or by its state."""

from msgspec.structs import replace

from angelia.core.state import RunState
from angelia.ports import RunRecord
from angelia.runtime.library import ENDED
from angelia.runtime.marks import error_of
from angelia.wire.runs.server import Facing


def is_summed_up(run: RunRecord) -> bool:
    """Whether the record alone tells what the run came to."""
    # A run of a version that kept no summaries is told by its log.
    return run.status in ENDED and bool(run.output or run.usage.total or run.error)


def facing(run: RunRecord, state: RunState | None = None) -> Facing:
    """Without a state: as it was when the record was last written."""
    shown = Facing(
        run_id=run.id,
        status=run.status,
        created_at=run.created_at,
        updated_at=run.updated_at,
        session_id=run.session_id,
        model=run.model,
        last_seq=run.last_seq,
        output=run.output,
        usage=run.usage,
        cost=run.cost,
        error=run.error,
        surface=run.surface,
        question=run.question,
        parent=run.parent,
        user=run.user,
        delegated_by=run.delegated_by,
        delegated_call=run.delegated_call,
    )
    if state is None:
        return shown
    return replace(
        shown,
        status=state.status,
        output=state.output,
        usage=state.usage,
        cost=state.cost,
        error=error_of(state.ending),
        calls=state.calls,
    )
