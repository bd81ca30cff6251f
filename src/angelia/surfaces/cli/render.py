"""Events of a run as pieces of text: the answer for stdout, everything about it for stderr."""

from typing import Literal, assert_never, get_args

from msgspec import Struct

from angelia.core.approval_text import visible
from angelia.core.policy import LimitName
from angelia.surfaces.cli.events import Ending, Event
from angelia.surfaces.cli.exits import Exit
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

Stream = Literal["out", "err"]
Look = Literal["plain", "dim", "bad"]
_WIDTH = 100
# The codes under which a run fails whose budget is used up.
_LIMITS = frozenset(get_args(LimitName))


class Piece(Struct, frozen=True):
    """`look` is how it should appear where the stream can show that."""

    text: str
    stream: Stream = "out"
    look: Look = "plain"


class Renderer:
    """One run's events in, pieces out. Remembers what it needs to end lines where they end."""

    def __init__(self) -> None:
        self._mid_line: dict[Stream, bool] = {"out": False, "err": False}
        self._labels: dict[str, str] = {}

    def show(self, event: Event) -> list[Piece]:
        match event:
            case MessageDeltaOut(delta=delta):
                return [*self._end_line("err"), *self._flow(delta, "out", "plain")]
            case ReasoningDeltaOut(delta=delta):
                return [*self._end_line("out"), *self._flow(delta, "err", "dim")]
            case MessageCompletedOut():
                return self._end_line("out")
            case ReasoningAvailableOut():
                return self._end_line("err")
            case ToolStartedOut():
                return self._line(self._begun(event))
            case ToolCompletedOut():
                return self._ended(event)
            case ApprovalRequestedOut(tool=tool, preview=preview):
                what = _one_line(visible(preview), None)
                pieces = self._line(f"? {tool} waits for approval: {what}")
                return [*pieces, *(self._line(f"   {event.reason}", "dim") if event.reason else ())]
            case StepResetOut(reason=reason):
                return self._line(f"– the answer was cut off ({reason}); asking again –", "dim")
            case NoticeOut(message=message):
                return self._line(f"note: {_one_line(message)}", "dim")
            case RunCompletedOut(finish_reason="length"):
                return self._line("the answer was cut off: it reached its limit", "bad")
            case RunCompletedOut():
                return self._end()
            case RunFailedOut(error=error):
                return self._line(f"failed: {_one_line(error.message, None)}", "bad")
            case RunCancelledOut():
                return self._line("cancelled", "bad")
            case _:
                assert_never(event)

    def _begun(self, event: ToolStartedOut) -> str:
        label = _one_line(event.preview) or event.tool
        self._labels[event.tool_call_id] = f"{event.emoji or '·'} {label}"
        return f"{self._labels[event.tool_call_id]} …"

    def _ended(self, event: ToolCompletedOut) -> list[Piece]:
        label = self._labels.pop(event.tool_call_id, event.tool)
        fine = event.outcome == "ok"
        line = f"{label} → {event.outcome}, {event.duration:.2f} s"
        why = "" if fine else _one_line(_last_lines(event.output))
        pieces = self._line(line, "plain" if fine else "bad")
        return [*pieces, *(self._line(f"   {why}", "dim") if why else ())]

    def _flow(self, text: str, stream: Stream, look: Look) -> list[Piece]:
        if not text:
            return []
        self._mid_line[stream] = not text.endswith("\n")
        return [Piece(text, stream, look)]

    def _line(self, text: str, look: Look = "plain") -> list[Piece]:
        return [*self._end(), Piece(f"{text}\n", "err", look)]

    def _end(self) -> list[Piece]:
        return [*self._end_line("out"), *self._end_line("err")]

    def _end_line(self, stream: Stream) -> list[Piece]:
        if not self._mid_line[stream]:
            return []
        self._mid_line[stream] = False
        return [Piece("\n", stream)]


def exit_code(ending: Ending) -> Exit:
    match ending:
        case RunCompletedOut(finish_reason="length"):
            return Exit.LIMIT
        case RunCompletedOut():
            return Exit.COMPLETED
        case RunFailedOut(error=error):
            return Exit.LIMIT if error.code in _LIMITS else Exit.FAILED
        case RunCancelledOut():
            return Exit.CANCELLED
        case _:
            assert_never(ending)


def _one_line(text: str, width: int | None = _WIDTH) -> str:
    flat = " ".join(text.split())
    return flat if width is None or len(flat) <= width else f"{flat[: width - 1]}…"


def _last_lines(text: str) -> str:
    """Where programs say what went wrong, and the exit code behind it."""
    return " ".join(text.strip().splitlines()[-2:])
