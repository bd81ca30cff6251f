"""What clients of the run API send, read strictly into values."""

import re
from typing import assert_never

from msgspec import UNSET, Raw, Struct, UnsetType, json

from angelia.core.events import Choice
from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    System,
    Text,
    ToolSpec,
    User,
    UserPart,
    user,
)
from angelia.core.policy import Limits
from angelia.errors import BadRequest
from angelia.wire import fields
from angelia.wire.runs import webhooks
from angelia.wire.runs.shapes import (
    ABSENT,
    ApprovalIn,
    Content,
    CreateRunIn,
    FunctionIn,
    ImageIn,
    InputImageIn,
    InputTextIn,
    LimitsIn,
    MessageIn,
    OutputTextIn,
    PartIn,
    SteerIn,
    TextIn,
    ToolIn,
)

# A session's id is the value of a header in every answer.
_SESSION_ID = re.compile(r"[\x21-\x7e]{1,256}")

_create = json.Decoder(CreateRunIn)
_approval = json.Decoder(ApprovalIn)
_steer = json.Decoder(SteerIn)


class CreateRun(Struct, frozen=True):
    """`history` is what the client says was said before; `messages` is what it asks.

    `tools` is None where the client said nothing of tools, and empty where it wants none.
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


class Approval(Struct, frozen=True):
    """Without an `approval_id` it answers the only one that is pending."""

    choice: Choice
    approval_id: str | None = None
    reason: str = ""


def parse_create(body: bytes) -> CreateRun:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body, _create)
    return CreateRun(
        messages=_input(given.input),
        history=_messages(given.conversation_history or [], "conversation_history"),
        instructions=given.instructions or "",
        session_id=None if given.session_id is None else session_id(given.session_id, "session_id"),
        previous_response_id=given.previous_response_id,
        model=given.model,
        tools=None if given.tools is None else _tools(given.tools),
        limits=_limits(given.limits or LimitsIn()),
        metadata=_optional_object(given.metadata, "metadata"),
        user=given.user,
        webhook=None if given.webhook is None else webhooks.parse(given.webhook),
    )


def session_id(text: str, param: str) -> str:
    if _SESSION_ID.fullmatch(text):
        return text
    raise BadRequest(
        f"Invalid value for '{param}': 1 to 256 visible ASCII characters, without spaces.",
        param=param,
        code="invalid_value",
    )


def parse_approval(body: bytes) -> Approval:
    given = fields.decode(body, _approval)
    return Approval(given.choice, given.approval_id, given.reason or "")


def parse_steer(body: bytes) -> tuple[Message, ...]:
    return _input(fields.decode(body, _steer).input)


def _input(given: str | list[MessageIn]) -> tuple[Message, ...]:
    return (user(given),) if isinstance(given, str) else _messages(given, "input")


def _messages(given: list[MessageIn], path: str) -> tuple[Message, ...]:
    return tuple(_message(m, f"{path}[{i}].content") for i, m in enumerate(given))


def _message(given: MessageIn, path: str) -> Message:
    parts = _parts(given.content, path)
    match given.role:
        case "user":
            return User(parts)
        case "assistant":
            return Assistant(_texts_only(parts, path))
        case "system" | "developer":
            return System("\n".join(part.text for part in _texts_only(parts, path)))
        case _:
            assert_never(given.role)


def _parts(content: Content, path: str) -> tuple[UserPart, ...]:
    if isinstance(content, str):
        return (Text(content),)
    return tuple(_part(part, f"{path}[{index}]") for index, part in enumerate(content))


def _part(part: PartIn, path: str) -> UserPart:
    match part:
        case TextIn(text=text) | InputTextIn(text=text) | OutputTextIn(text=text):
            return Text(text)
        case InputImageIn(image_url=url, detail=detail):
            return Image(fields.image_url(url, f"{path}.image_url"), detail)
        case ImageIn(image_url=image):
            if isinstance(image, str):
                return Image(fields.image_url(image, f"{path}.image_url"))
            return Image(fields.image_url(image.url, f"{path}.image_url.url"), image.detail)
        case _:
            assert_never(part)


def _texts_only(parts: tuple[UserPart, ...], path: str) -> tuple[Text, ...]:
    texts = tuple(part for part in parts if isinstance(part, Text))
    if len(texts) < len(parts):
        raise BadRequest(
            f"Invalid value for '{path}': only messages of users can have images.",
            param=path,
            code="invalid_value",
        )
    return texts


def _tools(given: list[ToolIn]) -> tuple[ToolSpec, ...]:
    specs: dict[str, ToolSpec] = {}
    for index, tool in enumerate(given):
        spec, path = _tool(tool, f"tools[{index}]")
        if spec.name in specs:
            raise BadRequest(
                f"Invalid value for '{path}.name': {spec.name!r} is declared twice.",
                param=f"{path}.name",
                code="invalid_value",
            )
        specs[spec.name] = spec
    return tuple(specs.values())


def _tool(tool: ToolIn, path: str) -> tuple[ToolSpec, str]:
    function = tool.function
    if function is not None:
        path = f"{path}.function"
    elif tool.name is not None:
        function = FunctionIn(tool.name, tool.description, tool.parameters, tool.strict)
    else:
        raise BadRequest(
            f"Missing required parameter: '{path}.name'.",
            param=f"{path}.name",
            code="missing_required_parameter",
        )
    parameters = _optional_object(function.parameters, f"{path}.parameters") or Raw(b"{}")
    spec = ToolSpec(
        name=function.name,
        description=function.description or "",
        parameters=parameters,
        owner="client",
        strict=function.strict,
    )
    return spec, path


def _limits(given: LimitsIn) -> Limits:
    return Limits(given.max_steps, given.max_tokens, given.max_seconds, given.max_cost)


def _is_absent(value: Raw) -> bool:
    return value is ABSENT or bytes(value) == b"null"


def _optional_object(value: Raw, param: str) -> Raw | UnsetType:
    return UNSET if _is_absent(value) else fields.json_object(value, param)
