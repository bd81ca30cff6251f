"""Turns and errors over a WebSocket."""

import pytest
from msgspec import json

from angelia.core.messages import user
from angelia.errors import BadRequest, Conflict, NotFound, RequestError
from angelia.wire.responses.request import messages
from angelia.wire.responses.socket import (
    connection_too_old,
    error,
    event,
    parse,
    previous_not_found,
)
from tests.wire.responses import spec


def test_a_message_is_a_request() -> None:
    asked = parse('{"type":"response.create","model":"m","input":"hi","store":false}')
    assert (asked.model, asked.store, messages(asked, {})) == ("m", False, (user("hi"),))
    assert parse(b'{"type":"response.create","input":"hi"}').store


@pytest.mark.parametrize(
    ("message", "param", "code"),
    [
        ({"input": "hi"}, "type", "missing_required_parameter"),
        ({"type": "session.update"}, "type", "invalid_value"),
        ({"type": 1}, "type", "invalid_type"),
        ({"type": "response.create"}, "input", "missing_required_parameter"),
        ({"type": "response.create", "input": 1}, "input", "invalid_type"),
        (
            {"type": "response.create", "input": "x", "stream": True},
            "stream",
            "unsupported_parameter",
        ),
        (
            {"type": "response.create", "input": "x", "stream_options": {}},
            "stream_options",
            "unsupported_parameter",
        ),
        (
            {"type": "response.create", "input": "x", "background": False},
            "background",
            "unsupported_parameter",
        ),
    ],
)
def test_a_message_that_is_no_turn_is_refused_by_its_path(message, param, code) -> None:
    with pytest.raises(BadRequest) as caught:
        parse(json.encode(message))
    assert (caught.value.param, caught.value.code) == (param, code)


@pytest.mark.parametrize("message", ["", "[]", "hello", '{"type":', "\ud800", b"\xff"])
def test_a_message_that_is_no_object_is_refused(message: str | bytes) -> None:
    with pytest.raises(BadRequest):
        parse(message)


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (BadRequest("No.", param="input", code="invalid_value"), 400, "invalid_value"),
        (NotFound("No."), 404, "not_found_error"),
        (Conflict("No.", code="session_busy"), 409, "session_busy"),
        (previous_not_found("resp_1"), 400, "previous_response_not_found"),
        (connection_too_old(), 400, "websocket_connection_limit_reached"),
    ],
)
def test_an_error_is_an_event_of_the_specification(
    fault: RequestError, status: int, code: str
) -> None:
    told = json.decode(error(fault))
    spec.check("WebSocketErrorEvent", told)
    assert (told["status"], told["error"]["code"]) == (status, code)
    assert told["error"]["message"] == fault.message
    assert told["error"]["param"] == fault.param


def test_a_fault_of_ours_is_an_event_too() -> None:
    told = json.decode(event(500, "server_error", "internal_error", "Something broke."))
    spec.check("WebSocketErrorEvent", told)
