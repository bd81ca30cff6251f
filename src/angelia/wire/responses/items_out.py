"""Transcripts as items: what a response was given, what a conversation holds.

Items have ids that follow from where they stand, so that they can be listed again, referred to
and found.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from msgspec import UNSET, Raw, Struct, json

from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    UserPart,
)
from angelia.wire.responses import items_in
from angelia.wire.responses.ids import input_id, owner_of
from angelia.wire.responses.response_shapes import (
    FunctionCallOut,
    FunctionCallOutputOut,
    InputImageOut,
    InputTextOut,
    ItemOut,
    MessageOut,
    OutputTextOut,
    ReasoningOut,
    ReasoningTextOut,
    RefusalOut,
)
from angelia.wire.responses.sealed import seal_token

__all__ = ["id_of", "input_items", "items", "known", "owner_of"]

Naming = Callable[[str, int], str]
_DETAILS = ("low", "high", "auto")


class _Named(Struct):
    id: str


_named = json.Decoder(_Named)


def input_items(
    messages: Iterable[Message], response_id: str, *, sealed: bool = False
) -> list[Raw]:
    """What a response was asked, in order. `sealed` shows reasoning that only models can read."""
    return items(messages, lambda kind, number: input_id(kind, response_id, number), sealed=sealed)


def items(messages: Iterable[Message], name: Naming, *, sealed: bool = False) -> list[Raw]:
    """`name` gives an item its id, from the beginning of it and the item's number."""
    writer = _Items(name, sealed=sealed)
    return [Raw(json.encode(item)) for message in messages for item in writer.of_message(message)]


def known(shown: Iterable[Raw]) -> dict[str, tuple[Message, ...]]:
    """What items stand for in a transcript, by their ids: those of `Writer.output` and of here."""
    found: dict[str, tuple[Message, ...]] = {}
    for item in shown:
        found[id_of(item)] = items_in.assemble(items_in.read((item,), "item"), {})
    return found


def id_of(item: Raw) -> str:
    return _named.decode(item).id


class _Items:
    def __init__(self, name: Naming, *, sealed: bool) -> None:
        self._name = name
        self._sealed = sealed
        self._count = 0

    def of_message(self, message: Message) -> Iterator[ItemOut]:
        match message:
            case System(text=text):
                yield MessageOut(self._id("msg"), "completed", "system", (InputTextOut(text),))
            case User(parts=parts):
                content = tuple(map(_user_content, parts))
                yield MessageOut(self._id("msg"), "completed", "user", content)
            case Assistant():
                yield from self._of_reply(message)
            case ToolResult(call_id=call_id, output=output):
                content = (InputTextOut(output),)
                yield FunctionCallOutputOut(self._id("fco"), call_id, content, "completed")
            case _:
                assert_never(message)

    def _of_reply(self, reply: Assistant) -> Iterator[ItemOut]:
        said: list[OutputTextOut | RefusalOut] = []
        for part in reply.parts:
            match part:
                case Text(text=text):
                    said.append(OutputTextOut(text))
                case Refusal(text=text):
                    said.append(RefusalOut(text))
                case Reasoning():
                    yield from self._message(said)
                    yield from self._reasoning(part)
                case ToolCall(id=call_id, name=name, arguments=arguments):
                    yield from self._message(said)
                    yield FunctionCallOut(self._id("fc"), call_id, name, arguments, "completed")
                case _:
                    assert_never(part)
        yield from self._message(said)

    def _message(self, said: list[OutputTextOut | RefusalOut]) -> Iterator[ItemOut]:
        if said:
            yield MessageOut(self._id("msg"), "completed", "assistant", tuple(said))
            said.clear()

    def _reasoning(self, part: Reasoning) -> Iterator[ItemOut]:
        token = UNSET if part.seal is None or not self._sealed else seal_token(part.seal)
        if part.text or token:
            content = (ReasoningTextOut(part.text),) if part.text else ()
            yield ReasoningOut(self._id("rs"), "completed", (), content, token)

    def _id(self, kind: str) -> str:
        number = self._count
        self._count += 1
        return self._name(kind, number)


def _user_content(part: UserPart) -> InputTextOut | InputImageOut:
    match part:
        case Text(text=text):
            return InputTextOut(text)
        case Image(url=url, detail=detail):
            return InputImageOut(url, detail if detail in _DETAILS else "auto")
        case _:
            assert_never(part)
