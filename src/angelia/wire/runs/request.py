"""What clients of the run API send, read strictly into values."""

from typing import assert_never

from msgspec import UNSET, Raw, Struct, UnsetType, json

from angelia.core.events import Choice
from angelia.core.messages import (
    Assistant,
    Message,
    System,
    Text,
    ToolSpec,
    User,
    UserPart,
    user,
)
from angelia.core.policy import Limits
from angelia.wire import content, fields, functions
from angelia.wire.functions import FunctionIn
from angelia.wire.runs import webhooks
from angelia.wire.runs.shapes import (
    ApprovalIn,
    CreateRunIn,
    LimitsIn,
    MessageIn,
    SteerIn,
    ToolIn,
    UndoIn,
)

_create = json.Decoder(CreateRunIn)
_approval = json.Decoder(ApprovalIn)
_steer = json.Decoder(SteerIn)
_undo = json.Decoder(UndoIn)


class CreateRun(Struct, frozen=True):
    """`history` is what the client says was said before; `messages` is what it asks.

    `tools` is None where the client said nothing of tools, and empty where it wants none. `parent`
    is the run of the session to go on behind: None for none, UNSET for the latest.
    """

    messages: tuple[Message, ...]
    history: tuple[Message, ...]
    instructions: str
    session_id: str | None
    previous_response_id: str | None
    model: str | None
    tools: tuple[ToolSpec, ...] | None
    limits: Limits
    metadata: Raw | UnsetType
    user: str | None
    webhook: webhooks.Wish | None = None
    parent: str | UnsetType | None = UNSET


class Approval(Struct, frozen=True):
    """Without an `approval_id` or a `code` it answers the only one that is pending."""

    choice: Choice
    approval_id: str | None = None
    reason: str = ""
    code: str | None = None


def parse_create(body: bytes) -> CreateRun:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body, _create)
    return CreateRun(
        messages=_input(given.input),
        history=_messages(given.conversation_history or [], "conversation_history"),
        instructions=given.instructions or "",
        session_id=_session_id(given.session_id),
        previous_response_id=given.previous_response_id,
        model=given.model,
        tools=None if given.tools is None else _tools(given.tools),
        limits=_limits(given.limits or LimitsIn()),
        metadata=fields.optional_object(given.metadata, "metadata"),
        user=given.user,
        webhook=None if given.webhook is None else webhooks.parse(given.webhook),
        parent=given.parent_run_id,
    )


def _session_id(given: str | None) -> str | None:
    return None if given is None else fields.session_id(given, "session_id")


def parse_approval(body: bytes) -> Approval:
    given = fields.decode(body, _approval)
    return Approval(given.choice, given.approval_id, given.reason or "", given.code)


def parse_steer(body: bytes) -> tuple[Message, ...]:
    return _input(fields.decode(body, _steer).input)


def parse_undo(body: bytes) -> UndoIn:
    """Nothing need be said."""
    return fields.decode(body if body.strip() else b"{}", _undo)


def _input(given: str | list[MessageIn]) -> tuple[Message, ...]:
    return (user(given),) if isinstance(given, str) else _messages(given, "input")


def _messages(given: list[MessageIn], path: str) -> tuple[Message, ...]:
    return tuple(_message(m, f"{path}[{i}].content") for i, m in enumerate(given))


def _message(given: MessageIn, path: str) -> Message:
    parts = content.parts(given.content, path, content.part)
    match given.role:
        case "user":
            return User(parts)
        case "assistant":
            return Assistant(_texts_only(parts, path))
        case "system" | "developer":
            return System("\n".join(part.text for part in _texts_only(parts, path)))
        case _:
            assert_never(given.role)


def _texts_only(parts: tuple[UserPart, ...], path: str) -> tuple[Text, ...]:
    texts = tuple(part for part in parts if isinstance(part, Text))
    if len(texts) < len(parts):
        raise fields.refused(path, "only messages of users can have images")
    return texts


def _tools(given: list[ToolIn]) -> tuple[ToolSpec, ...]:
    return functions.declared(_function(tool, f"tools[{i}]") for i, tool in enumerate(given))


def _function(tool: ToolIn, path: str) -> tuple[str, FunctionIn]:
    if tool.function is not None:
        return f"{path}.function", tool.function
    if tool.name is None:
        raise fields.missing(f"{path}.name")
    return path, FunctionIn(tool.name, tool.description, tool.parameters, tool.strict)


def _limits(given: LimitsIn) -> Limits:
    return Limits(given.max_steps, given.max_tokens, given.max_seconds, given.max_cost)
