"""Our half of chat completions when we are called: a run's entries as a stream, or as one answer.

Above: the HTTP surface. Below: the log's entries and nothing else, so that the same entries
give the same bytes at any time.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec import json

from angelia.core.approval_text import question
from angelia.core.events import (
    AnyEvent,
    ApprovalGiven,
    ApprovalRequested,
    Asked,
    CallDelta,
    Cancelled,
    ClientReplied,
    Compacted,
    Completed,
    DeadlinePassed,
    Ending,
    Entry,
    Exhausted,
    Failed,
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
from angelia.core.messages import FinishReason, Refusal, Text, ToolCall, Usage
from angelia.errors import IllegalTransition
from angelia.wire.blame import error_type
from angelia.wire.chat.dialects import Dialect, Progress, choose_dialect
from angelia.wire.chat.request import Request, parse
from angelia.wire.chat.shapes import (
    AnswerOut,
    CallOut,
    CallPiece,
    CallRest,
    ChoiceOut,
    CompletionDetailsOut,
    CompletionOut,
    ErrorDetails,
    ErrorOut,
    FunctionCallOut,
    FunctionRest,
    PromptDetailsOut,
    UsageOut,
)

__all__ = ["Dialect", "Request", "Writer", "choose_dialect", "complete", "parse"]

DONE = b"data: [DONE]\n\n"
# A line over 64 KiB breaks clients that read with aiohttp; a character takes up to six bytes.
PIECE = 8 * 1024

_encode = json.Encoder().encode


class _Leg:
    """What one request is told of a run: from where it came in to an end, or to its own turn."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.refusal = ""
        # Something was said in this step: more of it is shown as it comes.
        self.flows = False
        self._calls: tuple[ToolCall, ...] = ()
        self._shown = False
        self._break_due = False

    def said(self, text: str) -> str:
        """The text to show: a blank line parts it from the text of an earlier step."""
        if self._break_due:
            self._break_due = False
            text = "\n\n" + text
        self._shown = self.flows = True
        return text

    def replied(self, fact: ModelReplied) -> str:
        """The reply's text if none of it was streamed, else nothing."""
        message = fact.reply.message
        self.usage += fact.reply.usage or Usage()
        self.refusal = "".join(part.text for part in message.parts if isinstance(part, Refusal))
        self._calls = message.calls
        shown = self.flows
        text = "".join(part.text for part in message.parts if isinstance(part, Text | Refusal))
        text = self.said(text) if text and not shown else ""
        self.next_step()
        return text

    def take_back(self, *, kept: bool) -> None:
        """What was said in this step does not count; `kept` tells whether anything else does."""
        self._shown = kept
        self.next_step()

    def next_step(self) -> None:
        self._break_due = self._shown
        self.flows = False

    def calls(self, ids: tuple[str, ...]) -> list[ToolCall]:
        return [call for call in self._calls if call.id in ids]


class Writer:
    """One stream of one completion. `done` once its last byte was written."""

    def __init__(
        self,
        *,
        completion_id: str,
        model: str,
        created: int,
        dialect: Dialect,
        include_usage: bool,
        reasoning: bool = True,
    ) -> None:
        self.done = False
        self._head = (
            b'{"id":%b,"object":"chat.completion.chunk","created":%d,"model":%b,"choices":'
            % (
                _encode(completion_id),
                created,
                _encode(model),
            )
        )
        opening = b'data: %b[{"index":0,"delta":{"' % self._head
        self._content_prefix = opening + b'content":'
        self._reasoning_prefix = opening + b'reasoning_content":'
        self._suffix = b'},"finish_reason":null}]}\n\n'
        self._include_usage = include_usage
        self._reasoning = reasoning
        self._leg = _Leg()
        self._progress = Progress(dialect, self._head)

    def open(self) -> bytes:
        return self._choice(b'{"role":"assistant","content":""}')

    def write(self, entries: Iterable[Entry]) -> bytes:
        """The bytes for these entries; nothing for whatever follows the end of the stream."""
        frames: list[bytes] = []
        for entry in entries:
            if self.done:
                break
            event = entry.event
            if type(event) is TextDelta and self._leg.flows and 0 < len(event.text) <= PIECE:
                frames.append(self._content_prefix + _encode(event.text) + self._suffix)
            else:
                frames.append(self._render(event))
        return b"".join(frames)

    def _render(self, event: AnyEvent) -> bytes:
        match event:
            case TextDelta(text=text):
                return self._text(text)
            case ReasoningDelta(text=text):
                return self._pieces(self._reasoning_prefix, text) if self._reasoning else b""
            case ModelReplied():
                return self._pieces(self._content_prefix, self._leg.replied(event))
            case StepReset():
                self._leg.next_step()
                return b""
            case Compacted(usage=usage):
                self._leg.usage += usage
                return b""
            case ToolStarted():
                return self._progress.started(event)
            case ToolFinished():
                return self._progress.finished(event)
            case RunWaited(on="client_tools", call_ids=ids):
                return self._hand_over(ids)
            case RunWaited(asked=asked):
                return self._question(asked)
            case RunEnded(ending=ending):
                return self._end(ending)
            case (
                RunStarted()
                | TurnBegun()
                | RunTaken()
                | Overflowed()
                | ToolResumed()
                | ApprovalRequested()
                | ApprovalGiven()
                | ClientReplied()
                | Steered()
                | StopRequested()
                | DeadlinePassed()
                | ReasoningClosed()
                | CallDelta()
                | OutputDelta()
                | UsageReported()
                | Notice()
                | SubagentStarted()
                | SubagentCompleted()
            ):
                return b""
            case _:
                assert_never(event)

    def _text(self, text: str) -> bytes:
        return self._pieces(self._content_prefix, self._leg.said(text)) if text else b""

    def _pieces(self, prefix: bytes, text: str) -> bytes:
        if len(text) <= PIECE:
            return prefix + _encode(text) + self._suffix if text else b""
        return b"".join(prefix + _encode(piece) + self._suffix for piece in _cut(text))

    def _hand_over(self, ids: tuple[str, ...]) -> bytes:
        calls = self._leg.calls(ids)
        frames = [frame for index, call in enumerate(calls) for frame in self._call(index, call)]
        return b"".join(frames) + self._close("tool_calls")

    def _question(self, asked: tuple[Asked, ...]) -> bytes:
        """A person has to answer first: that is the end of this answer, and no fault."""
        return self._text(question(asked)) + self._close("stop")

    def _call(self, index: int, call: ToolCall) -> Iterable[bytes]:
        first, *more = _cut(call.arguments)
        yield self._tool_calls(CallPiece(index, call.id, FunctionCallOut(call.name, first)))
        for arguments in more:
            yield self._tool_calls(CallRest(index, FunctionRest(arguments)))

    def _tool_calls(self, piece: CallPiece | CallRest) -> bytes:
        return self._choice(b'{"tool_calls":[%b]}' % _encode(piece))

    def _end(self, ending: Ending) -> bytes:
        match ending:
            case Completed() | Exhausted():
                return self._close(_finish(ending))
            case Failed(message=message, code=code):
                return self.fail(message, code)
            case Cancelled():
                # Without an error a client would take half an answer for a whole one.
                return self.fail("The run was stopped.", "run_cancelled")
            case _:
                assert_never(ending)

    def _close(self, finish: FinishReason) -> bytes:
        self.done = True
        frames = self._choice(b"{}", _encode(finish))
        if self._include_usage:
            usage = _encode(_usage(self._leg.usage))
            frames += b'data: %b[],"usage":%b}\n\n' % (self._head, usage)
        return frames + DONE

    def fail(self, message: str, code: str) -> bytes:
        """The end of a stream whose answer is not whole."""
        self.done = True
        error = ErrorOut(ErrorDetails(message[:PIECE], error_type(code), code))
        return b"data: %b\n\n%b" % (_encode(error), DONE)

    def _choice(self, delta: bytes, finish: bytes = b"null") -> bytes:
        choice = b'[{"index":0,"delta":%b,"finish_reason":%b}]' % (delta, finish)
        return b"data: %b%b}\n\n" % (self._head, choice)


def complete(
    entries: Iterable[Entry],
    *,
    completion_id: str,
    model: str,
    created: int,
    reasoning: bool = True,
) -> bytes | Failed | Cancelled:
    """The answer in one JSON body: the same text as in the stream, but for what became void.

    A run that failed or was stopped has no answer: how it ended is returned instead.
    """
    leg = _Leg()
    texts: list[str] = []
    thoughts: list[str] = []
    settled = 0, 0
    for entry in entries:
        match entry.event:
            case TextDelta(text=text) if text:
                texts.append(leg.said(text))
            case ReasoningDelta(text=text) if reasoning:
                thoughts.append(text)
            case ModelReplied() as fact:
                texts.append(leg.replied(fact))
                settled = len(texts), len(thoughts)
            case StepReset():
                del texts[settled[0] :], thoughts[settled[1] :]
                leg.take_back(kept=any(texts))
            case Compacted(usage=usage):
                leg.usage += usage
            case RunWaited(on="client_tools", call_ids=ids):
                answer = _answer(leg, texts, thoughts, leg.calls(ids))
                return _completion(leg, answer, "tool_calls", completion_id, model, created)
            case RunWaited(asked=asked):
                texts.append(leg.said(question(asked)))
                answer = _answer(leg, texts, thoughts, [])
                return _completion(leg, answer, "stop", completion_id, model, created)
            case RunEnded(ending=Completed() | Exhausted() as ending):
                answer = _answer(leg, texts, thoughts, [])
                return _completion(leg, answer, _finish(ending), completion_id, model, created)
            case RunEnded(ending=Failed() | Cancelled() as ending):
                return ending
            case _:
                pass
    raise IllegalTransition("an answer needs entries up to an end or to the client's turn")


def _answer(leg: _Leg, texts: list[str], thoughts: list[str], calls: list[ToolCall]) -> AnswerOut:
    text = "".join(texts)
    return AnswerOut(
        role="assistant",
        content=text or (None if calls else ""),
        refusal=leg.refusal or None,
        reasoning_content="".join(thoughts) or None,
        tool_calls=[CallOut(c.id, FunctionCallOut(c.name, c.arguments)) for c in calls] or None,
    )


def _completion(
    leg: _Leg, answer: AnswerOut, finish: FinishReason, completion_id: str, model: str, created: int
) -> bytes:
    choice = ChoiceOut(0, answer, finish)
    usage = _usage(leg.usage)
    return _encode(CompletionOut(completion_id, "chat.completion", created, model, [choice], usage))


def _finish(ending: Completed | Exhausted) -> FinishReason:
    if isinstance(ending, Exhausted):
        return "length"
    # Only a run that waits for its client has calls to hand over.
    return "stop" if ending.finish == "tool_calls" else ending.finish


def _usage(usage: Usage) -> UsageOut:
    return UsageOut(
        usage.input,
        usage.output,
        usage.total,
        PromptDetailsOut(usage.cached),
        CompletionDetailsOut(usage.reasoning),
    )


def _cut(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)] or [""]
