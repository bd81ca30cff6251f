"""Tool calls as items of a response, in the dialect that its client bears."""

from typing import Literal, assert_never

from msgspec import Raw, json

from angelia.core.events import Asked, Outcome, ToolFinished, ToolStarted
from angelia.core.messages import ToolCall
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.items_in import SERVER_LABEL
from angelia.wire.responses.output.frames import pieces
from angelia.wire.responses.output.items import Closed, Output, Place
from angelia.wire.responses.response_shapes import (
    FunctionCallOut,
    FunctionCallOutputOut,
    InputTextOut,
    McpApprovalRequestOut,
    McpCallOut,
    McpErrorOut,
    McpTextOut,
)

ABANDONED = "The server stopped before the tool was finished."

_encode = json.Encoder().encode
_Arguments = Literal["response.function_call_arguments", "response.mcp_call_arguments"]


class Calls:
    """The server's own tools between their start and their end; internal ones never appear."""

    def __init__(self, dialect: Dialect, output: Output) -> None:
        self._dialect: Dialect = dialect
        self._output = output
        self._paired: dict[str, None] = {}
        self._mcp: dict[str, _McpCall] = {}

    def started(self, event: ToolStarted) -> None:
        if event.name.startswith("_"):
            return
        match self._dialect:
            case "pair":
                hand_over(self._output, ToolCall(event.call_id, event.name, event.arguments))
                self._paired[event.call_id] = None
            case "mcp":
                self._mcp[event.call_id] = _McpCall(self._output, event)
            case "off":
                pass
            case _:
                assert_never(self._dialect)

    def finished(self, event: ToolFinished) -> None:
        self._end(event.call_id, event.outcome, event.output)

    def abandon(self) -> None:
        """Every call that was shown gets an end: clients run a function that has no output."""
        for call_id in (*self._paired, *self._mcp):
            self._end(call_id, "cancelled", ABANDONED)

    def _end(self, call_id: str, outcome: Outcome, text: str) -> None:
        if call_id in self._paired:
            del self._paired[call_id]
            _answer(self._output, call_id, outcome, text)
        elif call := self._mcp.pop(call_id, None):
            call.end(outcome, text)


def ask(output: Output, asked: Asked) -> None:
    """A call that a person has to agree to first."""
    place = output.place("mcpr")
    item = McpApprovalRequestOut(place.id, SERVER_LABEL, asked.name, asked.arguments)
    output.added(place, Closed(Raw(_encode(item))), item)
    output.done(place, item)


# ── functions ───────────────────────────────────────────────────────────────────────────────


def hand_over(output: Output, call: ToolCall) -> None:
    """A call that the model has finished writing, which says nothing of who runs it."""
    place = output.place("fc")
    first = FunctionCallOut(place.id, call.id, call.name, "", "in_progress")
    last = FunctionCallOut(place.id, call.id, call.name, call.arguments, "completed")
    output.added(place, Closed(Raw(_encode(last))), first)
    fields = _tell_arguments(output, place, "response.function_call_arguments", call.arguments)
    output.tape.add("response.function_call_arguments.done", fields)
    output.done(place, last)


def _answer(output: Output, call_id: str, outcome: Outcome, text: str) -> None:
    place = output.place("fco")
    ended = outcome in ("ok", "error", "denied")
    item = FunctionCallOutputOut(
        place.id, call_id, (InputTextOut(text),), "completed" if ended else "incomplete"
    )
    output.added(place, Closed(Raw(_encode(item))), item)
    output.done(place, item)


def _tell_arguments(output: Output, place: Place, event: _Arguments, arguments: str) -> bytes:
    """Their deltas; answers with the fields of the event that ends them."""
    for piece in pieces(arguments) if arguments else ():
        output.tape.add(f"{event}.delta", b'%b"delta":%b' % (place.fields, _encode(piece)))
    return b'%b"arguments":%b' % (place.fields, _encode(arguments))


# ── calls that the provider runs ────────────────────────────────────────────────────────────


class _McpCall:
    def __init__(self, output: Output, event: ToolStarted) -> None:
        self._output = output
        self._place = output.place("mcp")
        self._item = self._out(event.name, "", "in_progress")
        output.added(self._place, self, self._item)
        self._tell("response.mcp_call.in_progress")
        arguments = "response.mcp_call_arguments"
        fields = _tell_arguments(output, self._place, arguments, event.arguments)
        output.tape.add(f"{arguments}.done", fields)
        self._item = self._out(event.name, event.arguments, "in_progress")

    def end(self, outcome: Outcome, text: str) -> None:
        name, arguments = self._item.name, self._item.arguments
        if outcome == "ok":
            self._tell("response.mcp_call.completed")
            self._item = self._out(name, arguments, "completed", output=text)
        else:
            self._tell("response.mcp_call.failed")
            message = f"The call ended with the outcome {outcome!r}."
            error = McpErrorOut(outcome, message, (McpTextOut(text),))
            self._item = self._out(name, arguments, "failed", error=error)
        self._output.done(self._place, self._item)

    def shown(self) -> Raw:
        return Raw(_encode(self._item))

    def _out(
        self,
        name: str,
        arguments: str,
        status: Literal["in_progress", "completed", "failed"],
        *,
        output: str | None = None,
        error: McpErrorOut | None = None,
    ) -> McpCallOut:
        return McpCallOut(self._place.id, status, SERVER_LABEL, name, arguments, output, error)

    def _tell(self, event: str) -> None:
        place = self._place
        fields = b'"item_id":%b,"output_index":%d' % (_encode(place.id), place.index)
        self._output.tape.add(event, fields)
