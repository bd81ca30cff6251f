"""The events of a run that the chat shows, read from the JSON of the run API.

An event of another kind is skipped: a newer server may know more of them.
"""

from typing import get_args

import msgspec
from msgspec import Struct

from angelia.wire.runs.shapes import (
    ApprovalRequestedOut,
    ApprovalResolvedOut,
    MessageCompletedOut,
    MessageDeltaOut,
    NoticeOut,
    ReasoningAvailableOut,
    ReasoningDeltaOut,
    RunBegunOut,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
    RunStartedOut,
    RunSteeredOut,
    RunStoppingOut,
    StepCompletedOut,
    StepResetOut,
    SubagentCompletedOut,
    SubagentStartedOut,
    ToolArgumentsOut,
    ToolCompletedOut,
    ToolOutputOut,
    ToolStartedOut,
    UsageReportedOut,
)

Ending = RunCompletedOut | RunFailedOut | RunCancelledOut
Event = (
    RunStartedOut
    | RunBegunOut
    | MessageDeltaOut
    | MessageCompletedOut
    | StepCompletedOut
    | StepResetOut
    | ReasoningDeltaOut
    | ReasoningAvailableOut
    | ToolArgumentsOut
    | ToolStartedOut
    | ToolOutputOut
    | ToolCompletedOut
    | SubagentStartedOut
    | SubagentCompletedOut
    | ApprovalRequestedOut
    | ApprovalResolvedOut
    | RunSteeredOut
    | RunStoppingOut
    | NoticeOut
    | UsageReportedOut
    | Ending
)
_KINDS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Event)}


class _Named(Struct, frozen=True):
    event: str


_name = msgspec.json.Decoder(_Named)


def read(data: bytes) -> Event | None:
    """None for an event that the chat does not show."""
    kind = _KINDS.get(_name.decode(data).event)
    return None if kind is None else msgspec.json.decode(data, type=kind)
