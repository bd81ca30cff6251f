"""The events of a response's stream, which are written without a Struct of their own."""

from collections.abc import Mapping

from msgspec import Struct, defstruct

from angelia.wire.responses import response_shapes as wire

Nothing = tuple[()]


class Numbered(Struct, frozen=True, kw_only=True):
    sequence_number: int


class OfResponse(Numbered, frozen=True, kw_only=True):
    response: wire.ResponseOut


class OfItem(Numbered, frozen=True, kw_only=True):
    output_index: int
    item: wire.ItemOut


class InItem(Numbered, frozen=True, kw_only=True):
    item_id: str
    output_index: int


class OfPart(InItem, frozen=True, kw_only=True):
    content_index: int
    part: wire.OutputTextOut | wire.RefusalOut | wire.ReasoningTextOut


class TextDelta(InItem, frozen=True, kw_only=True):
    content_index: int
    logprobs: Nothing
    delta: str


class TextDone(InItem, frozen=True, kw_only=True):
    content_index: int
    logprobs: Nothing
    text: str


class PartDelta(InItem, frozen=True, kw_only=True):
    content_index: int
    delta: str


class RefusalDone(InItem, frozen=True, kw_only=True):
    content_index: int
    refusal: str


class ReasoningDone(InItem, frozen=True, kw_only=True):
    content_index: int
    text: str


class ArgumentsDelta(InItem, frozen=True, kw_only=True):
    delta: str


class ArgumentsDone(InItem, frozen=True, kw_only=True):
    arguments: str


FORMS: Mapping[str, type[Numbered]] = {
    "response.created": OfResponse,
    "response.queued": OfResponse,
    "response.in_progress": OfResponse,
    "response.completed": OfResponse,
    "response.incomplete": OfResponse,
    "response.failed": OfResponse,
    "response.output_item.added": OfItem,
    "response.output_item.done": OfItem,
    "response.content_part.added": OfPart,
    "response.content_part.done": OfPart,
    "response.output_text.delta": TextDelta,
    "response.output_text.done": TextDone,
    "response.refusal.delta": PartDelta,
    "response.refusal.done": RefusalDone,
    "response.reasoning_text.delta": PartDelta,
    "response.reasoning_text.done": ReasoningDone,
    "response.function_call_arguments.delta": ArgumentsDelta,
    "response.function_call_arguments.done": ArgumentsDone,
    "response.mcp_call.in_progress": InItem,
    "response.mcp_call.completed": InItem,
    "response.mcp_call.failed": InItem,
    "response.mcp_call_arguments.delta": ArgumentsDelta,
    "response.mcp_call_arguments.done": ArgumentsDone,
}

EVENTS: tuple[type[Struct], ...] = tuple(
    defstruct(name, [], bases=(form,), tag_field="type", tag=name, frozen=True, kw_only=True)
    for name, form in FORMS.items()
)
