"""What Anthropic Messages refuses."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, json

from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.strictness.names import bad_data, bad_image, bad_name

SIGNATURE = "c2lnbmVkIGJ5IHRoZSBzY3JpcHQ"
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_MOST_MARKS = 4
_THOUGHTS = ("thinking", "redacted_thinking")


class _Source(Struct):
    type: str
    url: str = ""
    media_type: str = ""
    data: str = ""


class _Block(Struct):
    type: str
    text: str = ""
    thinking: str = ""
    signature: str = ""
    id: str = ""
    name: str = ""
    input: object = None
    tool_use_id: str = ""
    content: "str | list[_Block] | None" = None
    source: _Source | None = None
    cache_control: object = None


class _Message(Struct):
    role: str
    content: str | list[_Block]

    @property
    def blocks(self) -> list[_Block]:
        return [_Block("text", self.content)] if isinstance(self.content, str) else self.content

    def of(self, kind: str) -> list[_Block]:
        return [block for block in self.blocks if block.type == kind]


class _Tool(Struct):
    name: str
    cache_control: object = None


class _Request(Struct):
    messages: list[_Message]
    system: str | list[_Block] | None = None
    tools: list[_Tool] | None = None


_decoder = json.Decoder(_Request)


def complaints(body: bytes, mint: Mint) -> Iterator[str]:
    """Raises msgspec.DecodeError, which names the field."""
    request = _decoder.decode(body)
    yield from _roles(request.messages)
    for place, message in enumerate(request.messages):
        for complaint in (*_content(message), *_thoughts(message, mint)):
            yield f"messages.{place}: {complaint}"
    yield from _calls(request.messages)
    yield from _tools(request)
    yield from _marks(request)


def _roles(messages: Sequence[_Message]) -> Iterator[str]:
    roles = [message.role for message in messages]
    if unknown := set(roles) - {"user", "assistant"}:
        yield f"messages: the role {min(unknown)!r} is none of this API"
    if not roles or roles[0] != "user":
        yield "messages: the first message must use the user role"
    if any(one == other for one, other in pairwise(roles)):
        yield "messages: roles must alternate between user and assistant"


def _content(message: _Message) -> Iterator[str]:
    if not message.blocks:
        yield "all messages must have non-empty content"
    for block in message.blocks:
        match block.type:
            case "text":
                if not block.text.strip():
                    yield "text content blocks must contain non-whitespace text"
            case "image":
                yield from filter(None, (_image(block.source),))
            case "tool_use":
                yield from _use(block, message.role)
            case "tool_result":
                yield from _result(block, message.role)
            case "thinking" | "redacted_thinking":
                if message.role != "assistant":
                    yield "only an assistant thinks"
            case _:
                yield f"{block.type!r} is no kind of block"


def _image(source: _Source | None) -> str | None:
    match source:
        case _Source(type="url", url=url):
            return bad_image(url) if not url.startswith("data:") else "a data URL is no link"
        case _Source(type="base64", media_type=media_type, data=data):
            return bad_data(media_type, data)
        case _:
            return "an image has a source of type url or base64"


def _use(block: _Block, role: str) -> Iterator[str]:
    if role != "assistant":
        yield "only an assistant uses tools"
    if not _ID.fullmatch(block.id):
        yield f"tool_use.id: {block.id!r} should match '^[a-zA-Z0-9_-]+$'"
    if not isinstance(block.input, dict):
        yield "tool_use.input: should be an object"
    yield from filter(None, (bad_name(block.name),))


def _result(block: _Block, role: str) -> Iterator[str]:
    if role != "user":
        yield "only a user gives results"
    if not _ID.fullmatch(block.tool_use_id):
        yield f"tool_result.tool_use_id: {block.tool_use_id!r} should match '^[a-zA-Z0-9_-]+$'"
    if isinstance(block.content, list) and any(_empty(part) for part in block.content):
        yield "text content blocks must be non-empty"


def _empty(block: _Block) -> bool:
    return block.type == "text" and not block.text


def _thoughts(message: _Message, mint: Mint) -> Iterator[str]:
    for block in message.blocks:
        if block.type in _THOUGHTS and block.cache_control is not None:
            yield f"{block.type} blocks cannot be marked for the cache"
        if block.type == "thinking" and block.signature != SIGNATURE + mint.seal(block.thinking):
            yield "invalid `signature` in `thinking` block"
        if block.type == "redacted_thinking":
            yield "invalid `data` in `redacted_thinking` block"
    if message.blocks and message.blocks[-1].type in _THOUGHTS:
        yield "the final block in an assistant message cannot be `thinking`"


def _calls(messages: Sequence[_Message]) -> Iterator[str]:
    used: list[str] = []
    for place, message in enumerate(messages):
        calls = [block.id for block in message.of("tool_use")]
        used += calls
        behind = messages[place + 1].blocks if place + 1 < len(messages) else []
        first = [block.tool_use_id for block in behind[: len(calls)]]
        if sorted(calls) != sorted(first):
            yield (
                f"messages.{place}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(sorted(set(calls) - set(first)))}"
            )
        before = messages[place - 1].of("tool_use") if place else []
        if len(message.of("tool_result")) > len(before):
            yield f"messages.{place}: unexpected `tool_use_id` in `tool_result` blocks"
    if len(used) != len(set(used)):
        yield "messages: `tool_use` ids must be unique"


def _tools(request: _Request) -> Iterator[str]:
    for tool in request.tools or ():
        yield from filter(None, (bad_name(tool.name),))
    if not request.tools and any(message.of("tool_use") for message in request.messages):
        yield "requests which include `tool_use` or `tool_result` blocks must define tools"


def _marks(request: _Request) -> Iterator[str]:
    system = request.system if isinstance(request.system, list) else []
    if any(not block.text.strip() for block in system):
        yield "system: text content blocks must contain non-whitespace text"
    blocks = [block for message in request.messages for block in message.blocks]
    marked = (*system, *(request.tools or ()), *blocks)
    count = sum(part.cache_control is not None for part in marked)
    if count > _MOST_MARKS:
        yield f"a maximum of {_MOST_MARKS} blocks with cache_control may be provided, found {count}"
