"""The events of a run that a terminal shows, read from the JSON of the run API.

An event of another kind is skipped: a newer server may know more of them.
"""

from typing import get_args

import msgspec
from msgspec import Struct

from angelia.wire.runs.shapes import (
    ApprovalRequestedOut,
    MessageCompletedOut,
    MessageDeltaOut,
    NoticeOut,
    ReasoningAvailableOut,
    ReasoningDeltaOut,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
    StepResetOut,
    ToolCompletedOut,
    ToolStartedOut,
)

Ending = RunCompletedOut | RunFailedOut | RunCancelledOut
Event = (
    MessageDeltaOut
    | MessageCompletedOut
    | ReasoningDeltaOut
    | ReasoningAvailableOut
    | ToolStartedOut
    | ToolCompletedOut
    | ApprovalRequestedOut
    | StepResetOut
    | NoticeOut
    | Ending
)
_KINDS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Event)}


class _Named(Struct, frozen=True):
    event: str


def read(data: bytes) -> Event | None:
    """None for an event that a terminal does not show."""
    kind = _KINDS.get(msgspec.json.decode(data, type=_Named).event)
    return None if kind is None else msgspec.json.decode(data, type=kind)
