"""What happened in a run besides its words: calls, questions, notes, each with its moment."""

from typing import assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from angelia.surfaces.cli.events import read
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


class Moment(Struct, frozen=True, omit_defaults=True):
    """`at` is in seconds since the beginning; a call without an `outcome` is under way."""

    at: float
    what: str
    tool: str | None = None
    tool_call_id: str | None = None
    emoji: str | None = None
    outcome: str | None = None
    duration: float | None = None
    output: str | None = None


class _Timed(Struct, frozen=True):
    timestamp: float


class Timeline:
    """Events in, moments out, in the order in which they began."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self._began: float | None = None
        self._calls: dict[str, int] = {}

    def see(self, data: bytes) -> None:
        if self._began is None:
            self._began = msgspec.json.decode(data, type=_Timed).timestamp
        event = read(data)
        if event is None:
            return
        at = round(event.timestamp - self._began, 3)
        match event:
            case ToolStartedOut(tool_call_id=call_id, tool=tool, preview=preview):
                self._calls[call_id] = len(self.moments)
                self.moments.append(Moment(at, preview or tool, tool, call_id, event.emoji or None))
            case ToolCompletedOut():
                self._end(event, at)
            case ApprovalRequestedOut(tool=tool, preview=preview):
                self.moments.append(Moment(at, f"waited for approval: {tool} {preview}", tool))
            case StepResetOut(reason=reason):
                self.moments.append(Moment(at, f"the answer was cut off ({reason}); asked again"))
            case NoticeOut(message=message):
                self.moments.append(Moment(at, message))
            case (
                MessageDeltaOut()
                | MessageCompletedOut()
                | ReasoningDeltaOut()
                | ReasoningAvailableOut()
                | RunCompletedOut()
                | RunFailedOut()
                | RunCancelledOut()
            ):
                pass
            case _:
                assert_never(event)

    def _end(self, event: ToolCompletedOut, at: float) -> None:
        place = self._calls.pop(event.tool_call_id, None)
        if place is None:
            # A call that was refused never started.
            place = len(self.moments)
            self.moments.append(Moment(at, event.tool, event.tool, event.tool_call_id))
        self.moments[place] = replace(
            self.moments[place],
            outcome=event.outcome,
            duration=event.duration,
            output=event.output if event.error else None,
        )
