"""What OpenAI Chat Completions refuses."""

from collections.abc import Iterator

from msgspec import Struct, json

from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.strictness.names import bad_image, bad_name

_LONGEST_ID = 40
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})


class _Link(Struct):
    url: str
    detail: str | None = None


class _Part(Struct):
    type: str
    text: str = ""
    image_url: _Link | None = None


class _Function(Struct):
    name: str
    arguments: str = ""


class _Call(Struct):
    function: _Function
    id: str = ""
    type: str = ""


class _Detail(Struct):
    type: str
    id: str = ""
    data: str = ""


class _Message(Struct):
    role: str
    content: str | list[_Part] | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None
    reasoning_details: list[_Detail] | None = None


class _Request(Struct):
    messages: list[_Message]
    tools: list[_Call] | None = None


_decoder = json.Decoder(_Request)


def complaints(body: bytes, mint: Mint) -> Iterator[str]:
    """Raises msgspec.DecodeError, which names the field."""
    request = _decoder.decode(body)
    if not request.messages:
        yield "messages: is empty"
    for place, message in enumerate(request.messages):
        for complaint in (*_said(message), *_calls(message), *_thoughts(message, mint)):
            yield f"messages[{place}]: {complaint}"
    for tool in request.tools or ():
        yield from filter(None, (bad_name(tool.function.name),))


def _said(message: _Message) -> Iterator[str]:
    if message.role not in _ROLES:
        yield f"{message.role!r} is no role"
    if message.content is None and not message.tool_calls:
        yield "content: is missing"
    if message.role == "tool" and not message.tool_call_id:
        yield "tool_call_id: is missing"
    for part in message.content if isinstance(message.content, list) else ():
        if part.type == "image_url" and message.role == "user":
            link = part.image_url
            yield from filter(None, (bad_image(link.url if link else ""),))
        elif part.type != "text":
            yield f"{part.type!r} is no kind of content for {message.role}"


def _calls(message: _Message) -> Iterator[str]:
    if message.tool_calls is None:
        return
    if not message.tool_calls:
        yield "tool_calls: [] is too short"
    if message.role != "assistant":
        yield "tool_calls: are for assistants"
    for call in message.tool_calls:
        if call.type != "function":
            yield f"tool_calls: {call.type!r} is no kind of call"
        if not 0 < len(call.id) <= _LONGEST_ID:
            yield f"tool_calls: the id {call.id!r} has not 1 to {_LONGEST_ID} characters"
        yield from filter(None, (bad_name(call.function.name),))


def _thoughts(message: _Message, mint: Mint) -> Iterator[str]:
    for detail in message.reasoning_details or ():
        if detail.type != "reasoning.encrypted" or detail.data != mint.seal(detail.id):
            yield "reasoning_details: the reasoning could not be verified"
