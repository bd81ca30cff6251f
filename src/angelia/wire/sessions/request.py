"""What clients of the session API send, read strictly into values."""

from typing import assert_never

from msgspec import UNSET, Raw, Struct, UnsetType, json

from angelia.core.messages import (
    EMPTY_OBJECT,
    Assistant,
    AssistantPart,
    Message,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
)
from angelia.wire import content, fields
from angelia.wire.fields import ABSENT
from angelia.wire.sessions.shapes import (
    AssistantIn,
    CallIn,
    ChangeIn,
    CreateIn,
    DeveloperIn,
    ForkIn,
    FunctionIn,
    MessageIn,
    SystemIn,
    ToolIn,
    UserIn,
)

METADATA_LIMIT = 16 * 1024

_create = json.Decoder(CreateIn)
_change = json.Decoder(ChangeIn)
_fork = json.Decoder(ForkIn)


class Create(Struct, frozen=True):
    id: str | None
    title: str
    user: str | None
    metadata: Raw
    messages: tuple[Message, ...]


class Change(Struct, frozen=True):
    """UNSET is what stays as it is."""

    title: str | UnsetType
    metadata: Raw | UnsetType


class Fork(Struct, frozen=True):
    """`title` is None where the new session is called as the old one."""

    run_id: str | None
    id: str | None
    title: str | None


def parse_create(body: bytes) -> Create:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body or b"{}", _create)
    return Create(
        id=_new_id(given.id),
        title=_one_line(given.title or ""),
        user=given.user,
        metadata=_metadata(given.metadata) or EMPTY_OBJECT,
        messages=_Conversation().read(given.messages or []),
    )


def parse_change(body: bytes) -> Change:
    given = fields.decode(body, _change)
    title = given.title if isinstance(given.title, UnsetType) else _one_line(given.title or "")
    return Change(title, _metadata(given.metadata))


def parse_fork(body: bytes) -> Fork:
    given = fields.decode(body or b"{}", _fork)
    title = None if given.title is None else _one_line(given.title)
    return Fork(given.run_id, _new_id(given.id), title)


def _new_id(given: str | None) -> str | None:
    return None if given is None else fields.session_id(given, "id")


def _one_line(title: str) -> str:
    return " ".join(title.split())


def _metadata(given: Raw) -> Raw | UnsetType:
    """Null is an empty object; what is absent is UNSET."""
    if given is ABSENT:
        return UNSET
    if bytes(given) == b"null":
        return EMPTY_OBJECT
    if len(bytes(given)) > METADATA_LIMIT:
        raise fields.refused("metadata", f"more than {METADATA_LIMIT:,} bytes of JSON")
    return fields.json_object(given, "metadata")


class _Conversation:
    """Reads messages in order, since a result must belong to a call before it."""

    def __init__(self) -> None:
        self._call_ids: set[str] = set()

    def read(self, given: list[MessageIn]) -> tuple[Message, ...]:
        return tuple(self._message(m, f"messages[{i}]") for i, m in enumerate(given))

    def _message(self, given: MessageIn, path: str) -> Message:
        match given:
            case SystemIn() | DeveloperIn():
                return System(content.text(given.content))
            case UserIn(name=name):
                return User(content.parts(given.content, f"{path}.content", content.part), name)
            case AssistantIn():
                calls = _calls(given.tool_calls or [], f"{path}.tool_calls")
                self._call_ids.update(call.id for call in calls)
                return Assistant((*_spoken(given), *calls))
            case ToolIn():
                return self._result(given, path)
            case _:
                assert_never(given)

    def _result(self, given: ToolIn, path: str) -> ToolResult:
        if given.tool_call_id not in self._call_ids:
            raise content.unknown_call(given.tool_call_id, path)
        return ToolResult(given.tool_call_id, content.text(given.content), given.failed)


def _spoken(given: AssistantIn) -> list[AssistantPart]:
    parts: list[AssistantPart] = []
    if given.reasoning:
        parts.append(Reasoning(given.reasoning))
    if isinstance(given.content, list):
        parts += (Text(part.text) for part in given.content)
    elif given.content is not None:
        parts.append(Text(given.content))
    if given.refusal:
        parts.append(Refusal(given.refusal))
    return parts


def _calls(given: list[CallIn], path: str) -> list[ToolCall]:
    return [_call(call, f"{path}[{index}]") for index, call in enumerate(given)]


def _call(given: CallIn, path: str) -> ToolCall:
    function = given.function
    if function is None:
        if given.name is None or given.arguments is None:
            raise fields.missing(f"{path}.{'name' if given.name is None else 'arguments'}")
        function = FunctionIn(given.name, given.arguments)
    return ToolCall(given.id, function.name, function.arguments)
