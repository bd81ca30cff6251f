"""The Responses API over one WebSocket: a message in starts a turn, events go out.

Events are the same as on a stream, one JSON text each. Turns follow one another.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Raw, Struct, json

from angelia.errors import BadRequest, RequestError
from angelia.wire import fields
from angelia.wire.fields import ABSENT
from angelia.wire.responses.request import Asked, complete
from angelia.wire.responses.request_shapes import CreateIn

LONGEST_MINUTES = 60


class MessageIn(Struct):
    """What stands around the fields of a request. The last three belong to HTTP alone."""

    type: str | None = None
    stream: Raw = ABSENT
    stream_options: Raw = ABSENT
    background: Raw = ABSENT


class SocketFaultOut(Struct, frozen=True):
    type: str
    code: str
    message: str
    param: str | None


class SocketErrorOut(Struct, frozen=True):
    type: Literal["error"]
    status: int
    error: SocketFaultOut


_message = json.Decoder(MessageIn)
_create = json.Decoder(CreateIn)


def parse(message: str | bytes) -> Asked:
    """A turn. Raises BadRequest, which names the path of the field that is wrong."""
    body = message.encode(errors="replace") if isinstance(message, str) else message
    around = fields.decode(body, _message)
    if around.type is None:
        raise fields.missing("type")
    if around.type != "response.create":
        raise fields.refused("type", "a message to this socket is 'response.create'")
    _refuse_transport(around)
    return complete(fields.decode(body, _create))


def _refuse_transport(around: MessageIn) -> None:
    for name, value in (
        ("stream", around.stream),
        ("stream_options", around.stream_options),
        ("background", around.background),
    ):
        if not fields.is_absent(value):
            raise BadRequest(
                f"'{name}' is for HTTP: over a WebSocket every response is streamed.",
                param=name,
                code="unsupported_parameter",
            )


def error(fault: RequestError, told: Callable[[str], str] = str) -> bytes:
    """What the client hears instead of events; `told` is how words of a request are repeated."""
    param = None if fault.param is None else told(fault.param)
    return event(fault.status, fault.type, fault.code or fault.type, told(fault.message), param)


def event(status: int, kind: str, code: str, message: str, param: str | None = None) -> bytes:
    """`kind` is the type of an error as HTTP has it."""
    return json.encode(SocketErrorOut("error", status, SocketFaultOut(kind, code, message, param)))


def previous_not_found(response_id: str) -> BadRequest:
    """Neither stored nor the last response of this connection."""
    return BadRequest(
        f"Previous response with id {response_id[:128]!r} not found: send the whole input instead.",
        param="previous_response_id",
        code="previous_response_not_found",
    )


def connection_too_old() -> BadRequest:
    return BadRequest(
        f"This connection has reached its {LONGEST_MINUTES} minutes: open a new one.",
        code="websocket_connection_limit_reached",
    )
