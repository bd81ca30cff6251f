"""What OpenAI Responses refuses."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, json

from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.strictness.names import bad_image, bad_name

SEALED = "gAAAAABzY3JpcHRlZA"
_LONGEST_ID = 64
_INPUT = frozenset({"input_text", "input_image", "input_file"})
_OUTPUT = frozenset({"output_text", "refusal"})


class _Content(Struct):
    type: str
    image_url: str | None = None


class _Item(Struct):
    type: str = "message"
    id: str = ""
    role: str = ""
    content: str | list[_Content] | None = None
    call_id: str = ""
    name: str = ""
    encrypted_content: str | None = None

    @property
    def is_said(self) -> bool:
        """By the model, which thought before."""
        return self.type in ("reasoning", "function_call") or self.role == "assistant"


class _Tool(Struct):
    type: str
    name: str = ""


class _Request(Struct):
    input: str | list[_Item]
    tools: list[_Tool] | None = None


_decoder = json.Decoder(_Request)


def complaints(body: bytes, mint: Mint) -> Iterator[str]:
    """Raises msgspec.DecodeError, which names the field."""
    request = _decoder.decode(body)
    items = request.input if isinstance(request.input, list) else []
    for place, item in enumerate(items):
        for complaint in _item(item, items[place + 1 :], mint):
            yield f"input[{place}]: {complaint}"
    for tool in request.tools or ():
        if tool.type == "function":
            yield from filter(None, (bad_name(tool.name),))


def _item(item: _Item, behind: Sequence[_Item], mint: Mint) -> Iterator[str]:
    match item.type:
        case "message":
            yield from _message(item)
        case "reasoning":
            yield from _thought(item, behind, mint)
        case "function_call":
            yield from _call_id(item)
            yield from filter(None, (bad_name(item.name),))
        case "function_call_output":
            yield from _call_id(item)
        case _:
            yield f"type: {item.type!r} is no kind of item"


def _message(item: _Item) -> Iterator[str]:
    if item.role not in ("user", "assistant", "system", "developer"):
        yield f"role: {item.role!r} is no role"
    known = _OUTPUT if item.role == "assistant" else _INPUT
    for content in item.content if isinstance(item.content, list) else ():
        if content.type not in known:
            yield f"content: {content.type!r} is not one of {', '.join(sorted(known))}"
        if content.type == "input_image":
            yield from filter(None, (bad_image(content.image_url or ""),))
    if not item.content:
        yield "content: is empty"


def _thought(item: _Item, behind: Sequence[_Item], mint: Mint) -> Iterator[str]:
    """Nothing is kept, so an item cannot be looked up by its id."""
    if item.encrypted_content is None:
        yield f"item with id {item.id!r} not found"
    elif item.encrypted_content != SEALED + mint.seal(item.id):
        yield f"the encrypted content for item {item.id} could not be verified"
    if not behind or not behind[0].is_said:
        yield f"{item.id!r} of type 'reasoning' was provided without its required following item"


def _call_id(item: _Item) -> Iterator[str]:
    if not 0 < len(item.call_id) <= _LONGEST_ID:
        yield f"call_id: {item.call_id!r} has not 1 to {_LONGEST_ID} characters"
