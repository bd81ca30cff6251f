"""Our half of the Responses API when we are called: a leg of a run as events, or as one answer.

Above: the HTTP surface. Below: the log's entries and nothing else, so that the same entries
give the same bytes at any time. All entries of the leg are needed, deltas too: an item is named
after the entry that opened it.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Raw, json

from angelia.core.approval_text import question
from angelia.core.events import (
    ApprovalGiven,
    ApprovalRequested,
    Asked,
    CallDelta,
    ClientReplied,
    Compacted,
    DeadlinePassed,
    Entry,
    ModelReplied,
    Notice,
    OutputDelta,
    Overflowed,
    ReasoningClosed,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunTaken,
    RunWaited,
    Steered,
    StepReset,
    StopRequested,
    SubagentCompleted,
    SubagentStarted,
    TextDelta,
    ToolFinished,
    ToolResumed,
    ToolStarted,
    TurnBegun,
    UsageReported,
)
from angelia.core.messages import (
    Assistant,
    AssistantPart,
    FinishReason,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    Usage,
)
from angelia.wire.blame import error_type
from angelia.wire.responses import echo, response
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.output.calls import Calls, ask, hand_over
from angelia.wire.responses.output.frames import DONE, Frame, Tape, sse
from angelia.wire.responses.output.items import Output
from angelia.wire.responses.output.prose import Message, Thought, show_seal
from angelia.wire.responses.response import COMPLETED, IN_PROGRESS, QUEUED, Subject, Verdict
from angelia.wire.responses.response_shapes import ErrorEventOut, FaultOut, Status

__all__ = ["DONE", "Frame", "Subject", "Writer", "broken_off", "sse"]


class Writer:
    """One response. `done` once its last event was written.

    `dialect` and `sealed` are for whoever wants the items otherwise than the request asked.
    """

    def __init__(
        self, subject: Subject, *, dialect: Dialect | None = None, sealed: bool = False
    ) -> None:
        self.done = False
        self._subject = subject
        self._asked = echo.read(subject.request)
        self._sealed = sealed or echo.ENCRYPTED_REASONING in self._asked.include
        self._tape = Tape()
        self._output = Output(subject.response_id, self._tape)
        self._dialect: Dialect = dialect or self._asked.dialect
        self._calls = Calls(self._dialect, self._output)
        self._stands: Verdict | None = None
        self._usage = Usage()
        self._ended_at: float | None = None
        self._prose: Message | Thought | None = None
        self._step = _Step()
        self._client_calls: tuple[ToolCall, ...] = ()

    def write(self, entries: Iterable[Entry]) -> list[Frame]:
        """The events of these entries; nothing for whatever follows the end of the response."""
        for entry in entries:
            if self.done:
                break
            event = entry.event
            # Pieces of text are nearly all there is.
            if type(event) is TextDelta and type(self._prose) is Message and event.text:
                self._prose.say(event.text)
            else:
                self._render(entry)
        return self._tape.take()

    def fail(self, message: str, code: str) -> list[Frame]:
        """The end of a stream whose server goes away; the run may go on without it."""
        if not self.done:
            self._open(queued=False)
            self._end(response.failed(message, code), None)
        return self._tape.take()

    def response(self) -> bytes:
        """The response as of the entries written so far."""
        return response.render(
            self._subject,
            self._asked,
            self._stands or IN_PROGRESS,
            self._output.shown(),
            usage=self._usage if self.done else None,
            completed_at=self._ended_at,
        )

    @property
    def output(self) -> tuple[Raw, ...]:
        """The items so far."""
        return self._output.shown()

    # ── entries ─────────────────────────────────────────────────────────────────────────

    def _render(self, entry: Entry) -> None:
        event = entry.event
        self._output.at(entry.seq)
        self._open(queued=isinstance(event, RunStarted) and event.queued)
        match event:
            case TextDelta(text=text):
                self._say(text)
            case ReasoningDelta(text=text):
                self._think(text)
            case ReasoningClosed():
                if isinstance(self._prose, Thought):
                    self._close_prose("completed")
            case ModelReplied():
                self._replied(event)
            case StepReset():
                self._close_prose("incomplete")
                self._step = _Step()
            case Compacted(usage=usage):
                self._usage += usage
            case TurnBegun():
                self._begin_turn()
            case ToolStarted():
                self._calls.started(event)
            case ToolFinished():
                self._calls.finished(event)
            case RunWaited(on="client_tools", call_ids=ids):
                self._wait_for_client(ids, entry.at)
            case RunWaited(asked=asked):
                self._wait_for_people(asked, entry.at)
            case RunEnded(ending=ending):
                self._end(response.verdict(ending), entry.at)
            case (
                RunStarted()
                | RunTaken()
                | Overflowed()
                | ToolResumed()
                | ApprovalRequested()
                | ApprovalGiven()
                | ClientReplied()
                | Steered()
                | StopRequested()
                | DeadlinePassed()
                | CallDelta()
                | OutputDelta()
                | UsageReported()
                | Notice()
                | SubagentStarted()
                | SubagentCompleted()
            ):
                pass
            case _:
                assert_never(event)

    def _open(self, *, queued: bool) -> None:
        if self._stands is None:
            self._stands = QUEUED if queued else IN_PROGRESS
            self._tell("response.created")
            self._tell(self._stands.event)

    def _begin_turn(self) -> None:
        if self._stands is QUEUED:
            self._stands = IN_PROGRESS
            self._tell(self._stands.event)

    def _wait_for_client(self, ids: tuple[str, ...], at: float) -> None:
        for call in self._client_calls:
            if call.id in ids:
                hand_over(self._output, call)
        self._end(COMPLETED, at)

    def _wait_for_people(self, asked: tuple[Asked, ...], at: float) -> None:
        self._close_prose("completed")
        if self._dialect == "mcp" and asked:
            for one in asked:
                ask(self._output, one)
        else:
            self._say(question(asked))
            self._close_prose("completed")
        self._end(COMPLETED, at)

    def _end(self, verdict: Verdict, at: float | None) -> None:
        self._close_prose("incomplete")
        self._calls.abandon()
        self.done = True
        self._stands = verdict
        self._ended_at = at if verdict is COMPLETED else None
        self._tell(verdict.event)

    def _tell(self, event: str) -> None:
        self._tape.add(event, b'"response":' + self.response())

    # ── prose ───────────────────────────────────────────────────────────────────────────

    def _say(self, text: str) -> None:
        if text:
            self._message().say(text)

    def _think(self, text: str) -> None:
        if not text:
            return
        if not isinstance(self._prose, Thought):
            self._close_prose("completed")
            self._prose = Thought(self._output)
        self._step.thought = True
        self._prose.say(text)

    def _message(self) -> Message:
        self._step.said = True
        if not isinstance(self._prose, Message):
            self._close_prose("completed")
            self._prose = Message(self._output)
        return self._prose

    def _close_prose(self, status: Status) -> None:
        if self._prose is not None:
            self._prose.close(status)
            self._prose = None

    def _replied(self, fact: ModelReplied) -> None:
        reply = fact.reply
        self._usage += reply.usage or Usage()
        self._client_calls = reply.message.calls
        shown, self._step = self._step, _Step()
        for part in reply.message.parts:
            self._catch_up(part, shown)
        self._close_prose(_status(reply.finish))
        if self._sealed:
            self._show_seals(reply.message)
        self._step = _Step()

    def _catch_up(self, part: AssistantPart, shown: "_Step") -> None:
        """Whatever was not streamed. A refusal is streamed as text and only named at the end."""
        match part:
            case Text(text=text):
                self._say("" if shown.said else text)
            case Reasoning(text=text):
                self._think("" if shown.thought else text)
            case Refusal(text=text):
                self._message().refuse(text)
            case ToolCall():
                pass
            case _:
                assert_never(part)

    def _show_seals(self, message: Assistant) -> None:
        for part in message.parts:
            if isinstance(part, Reasoning) and part.seal is not None:
                show_seal(self._output, part.seal)


def broken_off(message: str, code: str, number: int) -> Frame:
    """What a stream ends with that has shown nothing of its response."""
    fault = FaultOut(error_type(code), code, message)
    return Frame(number, "error", json.encode(ErrorEventOut(number, fault, code, message)))


class _Step:
    """What was streamed of the model call under way."""

    __slots__ = ("said", "thought")

    def __init__(self) -> None:
        self.said = False
        self.thought = False


def _status(finish: FinishReason) -> Status:
    return "incomplete" if finish in ("length", "content_filter") else "completed"
