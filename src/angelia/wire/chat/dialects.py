"""How tool calls are shown between the chunks of a chat stream, in the dialect a client bears."""

from collections.abc import Iterable
from typing import assert_never, get_args

from msgspec import Raw, json

from angelia.core.events import ToolFinished, ToolStarted
from angelia.wire.chat.shapes import StatusData, StatusEvent, ToolCompleted, ToolRunning
from angelia.wire.dialects import ToolEvents, family, stated
from angelia.wire.preview import beginning, shown_arguments

Dialect = ToolEvents

HEADER = "X-Angelia-Tool-Events"
INPUT_LIMIT = 16 * 1024
LABEL_LIMIT = 500

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
_EMPTY_CHOICE = b'[{"index":0,"delta":{},"finish_reason":null}]'


def choose_dialect(
    *, requested: str | None, key_setting: str | None, user_agent: str, headers: Iterable[str]
) -> Dialect:
    """The request's word, else the key's, else what the client's family can bear.

    `headers` are the names of the request's headers. Raises BadRequest for an unknown word.
    """
    if dialect := stated(requested, key_setting, DIALECTS, HEADER):
        return dialect
    client = family(user_agent, headers)
    if client.openwebui:
        return "openwebui"
    return "carrier" if client.sdk else "named"


class Progress:
    """One frame when a tool starts and one when it is finished; internal tools never appear.

    `head` is the beginning of a chunk, up to the value of `choices`.
    """

    def __init__(self, dialect: Dialect, head: bytes) -> None:
        self._dialect: Dialect = dialect
        self._head = head
        self._running: dict[str, str] = {}

    def started(self, event: ToolStarted) -> bytes:
        if event.name.startswith("_") or self._dialect == "off":
            return b""
        label = _short(event.label)
        description = f"{event.emoji} {label or _short(event.name)}".strip()
        self._running[event.call_id] = description
        return self._frame(json.encode(_running(event, label)), description, done=False)

    def finished(self, event: ToolFinished) -> bytes:
        description = self._running.pop(event.call_id, None)
        # A client draws a card when a tool starts; an end without a start would have none.
        if description is None:
            return b""
        if event.outcome != "ok":
            description = f"{description} ({event.outcome})"
        return self._frame(json.encode(_completed(event)), description, done=True)

    def _frame(self, payload: bytes, description: str, *, done: bool) -> bytes:
        match self._dialect:
            case "named":
                data = b"%b[],%b" % (self._head, payload[1:])
                return b"event: hermes.tool.progress\ndata: %b\n\n" % data
            case "carrier":
                return b"data: %b}\n\n" % self._carrier(payload)
            case "openwebui":
                status = json.encode(StatusEvent(StatusData(description, done)))
                return b'data: %b,"event":%b}\n\n' % (self._carrier(payload), status)
            case "off":
                return b""
            case _:
                assert_never(self._dialect)

    def _carrier(self, payload: bytes) -> bytes:
        return b'%b%b,"hermes.tool.progress":%b' % (self._head, _EMPTY_CHOICE, payload)


def _running(event: ToolStarted, label: str) -> ToolRunning:
    shown, cut = _input(event.arguments)
    return ToolRunning(
        tool=_short(event.name),
        emoji=event.emoji,
        label=label,
        call_id=event.call_id,
        status="running",
        input=shown,
        input_truncated=cut,
    )


def _completed(event: ToolFinished) -> ToolCompleted:
    output, cut = beginning(event.output)
    return ToolCompleted(
        tool=_short(event.name),
        call_id=event.call_id,
        status="completed",
        outcome=event.outcome,
        failed=event.outcome != "ok",
        duration=event.duration,
        output=output,
        truncated=cut or event.truncated,
        sandbox=event.sandbox or None,
    )


def _input(arguments: str) -> tuple[Raw | str, bool]:
    """The arguments to show, and whether they are cut."""
    if beginning(arguments, INPUT_LIMIT)[1]:
        return beginning(arguments)
    return shown_arguments(arguments), False


def _short(text: str) -> str:
    return text if len(text) <= LABEL_LIMIT else text[: LABEL_LIMIT - 1] + "…"
