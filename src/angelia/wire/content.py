"""The content of messages that clients send: its parts, and how they become parts of a run."""

from collections.abc import Callable, Sequence
from typing import TypeVar, assert_never

from msgspec import Struct

from angelia.core.messages import Image, Text, UserPart
from angelia.errors import BadRequest
from angelia.wire import fields

P = TypeVar("P")


class ImageUrl(Struct, omit_defaults=True):
    url: str
    detail: str | None = None


class TextIn(Struct, tag_field="type", tag="text"):
    text: str


class InputTextIn(Struct, tag_field="type", tag="input_text"):
    text: str


class OutputTextIn(Struct, tag_field="type", tag="output_text"):
    text: str


class RefusalIn(Struct, tag_field="type", tag="refusal"):
    refusal: str


class ImageIn(Struct, tag_field="type", tag="image_url"):
    image_url: ImageUrl | str


class InputImageIn(Struct, tag_field="type", tag="input_image"):
    image_url: str
    detail: str | None = None


# What our own APIs take: the words of chat completions and those of responses alike.
TextPartIn = TextIn | InputTextIn | OutputTextIn
PartIn = TextPartIn | ImageIn | InputImageIn


def parts(
    content: str | list[P], path: str, read: Callable[[P, str], UserPart]
) -> tuple[UserPart, ...]:
    """`read` is told the path of each part; a text is the only part of its message."""
    if isinstance(content, str):
        return (Text(content),)
    return tuple(read(part, f"{path}[{index}]") for index, part in enumerate(content))


def part(given: PartIn, path: str) -> UserPart:
    match given:
        case TextIn(text=text) | InputTextIn(text=text) | OutputTextIn(text=text):
            return Text(text)
        case InputImageIn(image_url=url, detail=detail):
            return Image(fields.image_url(url, f"{path}.image_url"), detail)
        case ImageIn(image_url=image):
            if isinstance(image, str):
                return Image(fields.image_url(image, f"{path}.image_url"))
            return Image(fields.image_url(image.url, f"{path}.image_url.url"), image.detail)
        case _:
            assert_never(given)


def text(content: str | Sequence[TextPartIn] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content or ())


def unknown_call(call_id: str, path: str) -> BadRequest:
    """For the result of a call that nobody made before it."""
    why = f"no earlier assistant message has a tool call with the id {call_id[:100]!r}"
    return fields.refused(f"{path}.tool_call_id", why)
