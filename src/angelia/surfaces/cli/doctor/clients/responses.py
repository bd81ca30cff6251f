"""How the AI SDK and the openai packages read a stream of responses events."""

from typing import Final

import msgspec
from msgspec import Struct

from angelia.surfaces.cli.doctor.clients.chunks import Problem
from angelia.surfaces.cli.doctor.clients.sdk import events
from angelia.surfaces.cli.doctor.shown import RUNNING, Canvas, Shown, Tokens

LATE_CARDS = "A tool appears when it is done, never while it runs."
# Items outside its schema are errors to the AI SDK; of those that we could send these are inside.
KNOWN_ITEMS: Final = frozenset({"message", "reasoning", "function_call", "mcp_call"})


class Fault(Struct, frozen=True):
    """Why a call did not go well; our code is the outcome of the call."""

    code: str = "error"


class Item(Struct, frozen=True):
    type: str
    id: str = ""
    name: str = ""
    arguments: str = ""
    status: str = ""
    error: Fault | str | None = None


class Usage(Struct, frozen=True):
    input_tokens: int = 0
    output_tokens: int = 0


class Reason(Struct, frozen=True):
    reason: str = ""


class Response(Struct, frozen=True):
    status: str = ""
    usage: Usage | None = None
    error: Problem | None = None
    incomplete_details: Reason | None = None


class Event(Struct, frozen=True):
    type: str
    delta: str = ""
    item_id: str = ""
    output_index: int = 0
    item: Item | None = None
    response: Response | None = None
    error: Problem | None = None
    message: str = "An error occurred during streaming"


def read_as_ai_sdk(data: bytes) -> Shown:
    canvas = Canvas()
    for event in _events(data):
        item = event.item
        if event.type == "response.reasoning_summary_text.delta":
            canvas.think(event.delta)
        elif item is not None and item.type not in KNOWN_ITEMS:
            canvas.trouble(f"an item does not fit the schema: {item.type}")
        elif event.type == "response.output_item.done" and item is not None:
            if item.type == "mcp_call":
                canvas.card(item.id, f"mcp.{item.name}", _outcome(item))
                canvas.remark(LATE_CARDS)
            _errand(canvas, event, item)
        else:
            _plain(canvas, event)
    return canvas.shown()


def read_as_openai(data: bytes) -> Shown:
    """The streaming helpers want to know of an item and its part before anything is added."""
    canvas = Canvas()
    parts: set[str] = set()
    for event in _events(data):
        item = event.item
        if event.type == "response.content_part.added":
            parts.add(event.item_id)
        elif event.type == "response.output_text.delta" and event.item_id not in parts:
            canvas.trouble("text comes before its part was added; the helpers raise")
            break
        elif event.type == "response.reasoning_text.delta":
            canvas.think(event.delta)
        elif item is not None and item.type == "mcp_call":
            done = event.type == "response.output_item.done"
            canvas.card(item.id, item.name, _outcome(item) if done else RUNNING)
        elif event.type == "response.output_item.done" and item is not None:
            _errand(canvas, event, item)
        else:
            _plain(canvas, event)
    return canvas.shown()


def _events(data: bytes) -> list[Event]:
    found: list[Event] = []
    for event in events(data):
        if event == b"[DONE]":
            break
        try:
            found.append(msgspec.json.decode(event, type=Event))
        except msgspec.DecodeError:
            found.append(Event("error", message="an event cannot be read"))
    return found


def _errand(canvas: Canvas, event: Event, item: Item) -> None:
    if item.type == "function_call":
        canvas.errand(event.output_index, item.name, item.arguments)


def _plain(canvas: Canvas, event: Event) -> None:
    """What both do alike: text, the end, errors."""
    response = event.response or Response()
    match event.type:
        case "response.output_text.delta" | "response.refusal.delta":
            canvas.say(event.delta)
        case "response.completed" | "response.incomplete" | "response.failed":
            if response.usage is not None:
                canvas.tokens = Tokens(response.usage.input_tokens, response.usage.output_tokens)
            details = response.incomplete_details
            canvas.finish = details.reason if details else response.status
            if event.type == "response.failed":
                canvas.trouble((response.error or Problem()).message)
        case "error":
            canvas.trouble(event.error.message if event.error else event.message)
        case _:
            pass


def _outcome(item: Item) -> str:
    if isinstance(item.error, Fault):
        return item.error.code
    return "error" if item.error or item.status == "failed" else "ok"
