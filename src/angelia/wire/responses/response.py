"""The response object: what a leg of a run has come to, with what was asked for."""

from typing import assert_never

from msgspec import UNSET, Raw, Struct, UnsetType, json

from angelia.core.events import Cancelled, Completed, Ending, Exhausted, Failed
from angelia.core.messages import Usage
from angelia.wire.responses.echo import Echo
from angelia.wire.responses.response_shapes import (
    ConversationRefOut,
    DeletedOut,
    ErrorOut,
    IncompleteOut,
    InputDetailsOut,
    OutputDetailsOut,
    ResponseOut,
    ResponseStatus,
    UsageOut,
)

_encode = json.Encoder().encode


class Subject(Struct, frozen=True):
    """Which response it is. `request` is the echo that was kept with the run's leg."""

    response_id: str
    model: str
    created_at: int
    request: Raw | UnsetType = UNSET


class Verdict(Struct, frozen=True):
    """How a response stands. `event` is what the stream calls it."""

    status: ResponseStatus
    event: str
    error: ErrorOut | None = None
    incomplete: IncompleteOut | None = None


QUEUED = Verdict("queued", "response.queued")
IN_PROGRESS = Verdict("in_progress", "response.in_progress")
COMPLETED = Verdict("completed", "response.completed")


def verdict(ending: Ending) -> Verdict:
    match ending:
        case Completed(finish="length"):
            return _incomplete(IncompleteOut("max_output_tokens"))
        case Completed(finish="content_filter"):
            return _incomplete(IncompleteOut("content_filter"))
        case Completed():
            return COMPLETED
        case Exhausted(limit=limit):
            return _incomplete(IncompleteOut("max_output_tokens", limit))
        case Failed(message=message, code=code):
            return failed(message, code)
        case Cancelled():
            # The protocol has no event of its own for it, and clients must not take half an
            # answer for a whole one.
            stopped = ErrorOut("run_cancelled", "The run was stopped.")
            return Verdict("cancelled", "response.failed", stopped)
        case _:
            assert_never(ending)


def failed(message: str, code: str) -> Verdict:
    return Verdict("failed", "response.failed", ErrorOut(code, message))


def _incomplete(details: IncompleteOut) -> Verdict:
    return Verdict("incomplete", "response.incomplete", incomplete=details)


def usage_out(usage: Usage) -> UsageOut:
    return UsageOut(
        usage.input,
        InputDetailsOut(usage.cached, usage.cache_written),
        usage.output,
        OutputDetailsOut(usage.reasoning),
        usage.total,
    )


def render(
    subject: Subject,
    asked: Echo,
    stands: Verdict,
    output: tuple[Raw, ...],
    *,
    usage: Usage | None = None,
    completed_at: float | None = None,
) -> bytes:
    return _encode(
        ResponseOut(
            id=subject.response_id,
            object="response",
            created_at=subject.created_at,
            status=stands.status,
            completed_at=None if completed_at is None else int(completed_at),
            background=asked.background,
            conversation=ConversationRefOut(asked.conversation) if asked.conversation else None,
            error=stands.error,
            frequency_penalty=asked.frequency_penalty,
            incomplete_details=stands.incomplete,
            instructions=asked.instructions,
            max_output_tokens=asked.max_output_tokens,
            max_tool_calls=asked.max_tool_calls,
            model=subject.model,
            output=output,
            parallel_tool_calls=asked.parallel_tool_calls,
            presence_penalty=asked.presence_penalty,
            previous_response_id=asked.previous_response_id,
            prompt_cache_key=asked.prompt_cache_key,
            reasoning=asked.reasoning,
            safety_identifier=asked.safety_identifier,
            service_tier=asked.service_tier,
            store=asked.store,
            temperature=asked.temperature,
            text=asked.text,
            tool_choice=asked.tool_choice,
            tools=asked.tools,
            top_logprobs=asked.top_logprobs,
            top_p=asked.top_p,
            truncation=asked.truncation,
            usage=None if usage is None else usage_out(usage),
            user=asked.user,
            metadata=asked.metadata,
        )
    )


def deleted(response_id: str) -> bytes:
    return _encode(DeletedOut(response_id, "response", deleted=True))
