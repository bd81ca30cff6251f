"""One run as a person sees it: its events in, finished blocks out, and what is unfinished.

Pure: nothing is asked, read or written here. The blocks do not depend on how the deltas were cut.
"""

from typing import assert_never

from angelia.surfaces.cli.chat.blocks import (
    Block,
    Live,
    Question,
    Remark,
    Spoken,
    SubagentEnded,
    Thought,
    ToolEnded,
)
from angelia.surfaces.cli.chat.calls import Calls
from angelia.surfaces.cli.chat.events import Ending, Event
from angelia.surfaces.cli.chat.harmless import harmless
from angelia.surfaces.cli.chat.prose import Answer
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

_Step = MessageDeltaOut | ReasoningDeltaOut | ToolArgumentsOut


class View:
    """`model`, `tokens` and `cost` are what the run has said of itself so far."""

    def __init__(self) -> None:
        self.model = ""
        self.tokens = 0
        self.cost = 0.0
        self.seq = 0
        self._answer = Answer()
        self._calls = Calls()
        self._thought = ""
        self._thought_since = 0.0
        self._in_step = False
        self._asked: dict[str, ApprovalRequestedOut] = {}
        self._mine: set[str] = set()
        self._queued: list[str] = []
        self._unread = 0
        self._note = ""

    def live(self) -> Live:
        asked = [one for key, one in self._asked.items() if key not in self._mine]
        return Live(
            prose=self._answer.unfinished,
            thought=self._thought,
            thought_since=self._thought_since,
            tools=self._calls.running(),
            queued=tuple(self._queued),
            note=self._note,
            asked=asked[0] if asked else None,
            more=max(0, len(asked) - 1),
        )

    def queue(self, text: str) -> None:
        """A message that was sent to the run; it is shown where the model reads it."""
        self._queued.append(harmless(text))

    def unqueue(self, text: str) -> None:
        """It has not come to the run."""
        if harmless(text) in self._queued:
            self._queued.remove(harmless(text))

    def answering(self, approval_id: str) -> None:
        """This question is answered here, not elsewhere."""
        self._mine.add(approval_id)

    def unanswered(self, approval_id: str) -> None:
        """The answer did not come to the server: the question is asked again."""
        self._mine.discard(approval_id)

    def feed(self, event: Event) -> list[Block]:
        """The blocks that are finished with it."""
        self.seq = event.seq
        begun = self._step_begun(event) if isinstance(event, _Step) else []
        return [*begun, *self._seen(event)]

    def _seen(self, event: Event) -> list[Block]:
        match event:
            case MessageDeltaOut(delta=delta):
                return self._answer.feed(harmless(delta))
            case ReasoningDeltaOut(delta=delta):
                return self._think(harmless(delta), event.timestamp)
            case ReasoningAvailableOut():
                return self._thought_over(event)
            case MessageCompletedOut(text=text):
                self._in_step = False
                return self._answer.close(harmless(text))
            case StepCompletedOut() | StepResetOut():
                return self._step_over(event)
            case ToolStartedOut() | ToolOutputOut() | SubagentStartedOut():
                self._note = ""
                self._calls.follow(event)
                return []
            case ToolCompletedOut() | SubagentCompletedOut():
                return self._ended(event)
            case ApprovalRequestedOut() | ApprovalResolvedOut():
                return self._approval(event)
            case RunCompletedOut() | RunFailedOut() | RunCancelledOut():
                return self._over(event)
            case _:
                return self._about(event)

    def _about(
        self,
        event: RunStartedOut
        | RunBegunOut
        | ToolArgumentsOut
        | RunSteeredOut
        | RunStoppingOut
        | NoticeOut
        | UsageReportedOut,
    ) -> list[Block]:
        match event:
            case RunStartedOut():
                self.model = event.model
                self._note = "waits for the turn before it" if event.queued else ""
            case RunBegunOut():
                self._note = ""
            case ToolArgumentsOut(tool=tool):
                self._note = f"writes a call of {harmless(tool)}" if tool else self._note
            case RunSteeredOut(text=text):
                self._steered(harmless(text))
            case RunStoppingOut():
                self._note = "stopping"
            case NoticeOut(message=message):
                return [Remark(f"· {_one_line(message)}")]
            case UsageReportedOut():
                self.tokens += event.tokens.total
                self.cost += event.cost
            case _:
                assert_never(event)
        return []

    def _think(self, delta: str, at: float) -> list[Block]:
        if not self._thought:
            self._thought_since = at
        self._thought += delta
        return self._answer.pause()

    def _thought_over(self, event: ReasoningAvailableOut) -> list[Block]:
        since = self._thought_since if self._thought else event.timestamp
        text, self._thought = harmless(event.text) or self._thought, ""
        return [Thought(text.strip(), event.timestamp - since)] if text.strip() else []

    def _step_begun(self, event: _Step) -> list[Block]:
        """The model has read what was said to it meanwhile."""
        self._note = ""
        fresh, self._in_step = not self._in_step, True
        return self._read() if fresh else []

    def _read(self) -> list[Block]:
        count, self._unread = min(self._unread, len(self._queued)), 0
        read, self._queued = self._queued[:count], self._queued[count:]
        return [Spoken(text) for text in read]

    def _steered(self, text: str) -> None:
        if self._unread >= len(self._queued):
            self._queued.append(text)
        self._unread += 1

    def _step_over(self, event: StepCompletedOut | StepResetOut) -> list[Block]:
        self._in_step = False
        if isinstance(event, StepCompletedOut):
            return self._answer.close("")
        self._thought = ""
        self._note = f"asking again ({_one_line(event.reason)})"
        self._answer.void(_one_line(event.reason))
        return []

    def _ended(self, event: ToolCompletedOut | SubagentCompletedOut) -> list[Block]:
        ended: ToolEnded | SubagentEnded = self._calls.ended(event)
        return [ended]

    def _approval(self, event: ApprovalRequestedOut | ApprovalResolvedOut) -> list[Block]:
        if isinstance(event, ApprovalRequestedOut):
            self._asked[event.approval_id] = event
            return [Question(event.tool, event.preview, event.reason, event.code or "")]
        asked = self._asked.pop(event.approval_id, None)
        return [_answered(event, asked, mine=event.approval_id in self._mine)]

    def _over(self, event: Ending) -> list[Block]:
        last: list[Block] = [*self._answer.close(""), *self._calls.abandoned(event.timestamp)]
        last += self._read()
        self._asked.clear()
        self._note = self._thought = ""
        match event:
            case RunCompletedOut(finish_reason="length"):
                return [*last, Remark("the answer was cut off: it reached its limit", "bad")]
            case RunCompletedOut():
                return last
            case RunFailedOut(error=error):
                return [*last, Remark(f"failed: {_one_line(error.message)}", "bad")]
            case RunCancelledOut():
                return [*last, Remark("stopped", "bad")]
            case _:
                assert_never(event)

    def leftover(self) -> tuple[str, ...]:
        """What was sent to the run and never came to it."""
        left, self._queued = tuple(self._queued), []
        return left


_CHOICES = {
    "once": "allowed",
    "session": "allowed for this session",
    "always": "allowed for always",
    "deny": "denied",
}


def _answered(
    event: ApprovalResolvedOut, asked: ApprovalRequestedOut | None, *, mine: bool
) -> Remark:
    what = f"{asked.tool}: " if asked is not None else ""
    who = (
        ""
        if mine
        else {"policy": " by the policy", "expired": ", nobody answered in time"}.get(
            event.by, " elsewhere"
        )
    )
    why = f" ({_one_line(event.reason)})" if event.reason else ""
    word = "expired" if event.by == "expired" else _CHOICES.get(event.choice, event.choice)
    good = event.choice != "deny" and event.by != "expired"
    return Remark(f"{'✓' if good else '✗'} {what}{word}{who}{why}", "good" if good else "bad")


def _one_line(text: str) -> str:
    return " ".join(harmless(text).split())
