"""Refusals of providers: the shapes they come in, and whether asking again may help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire import faults


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_transient_statuses_are_worth_another_try(status: int) -> None:
    assert faults.retryable(status)
    assert faults.refused(status, b"{}", None).retryable


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
def test_permanent_statuses_are_not(status: int) -> None:
    assert not faults.retryable(status)
    assert not faults.refused(status, b'{"error":{"message":"overloaded"}}', None).retryable


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error":{"message":"no such model","type":"t","code":"c"}}', "no such model"),
        (b'{"error":"just text"}', "just text"),
        (b'{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}', "Busy"),
        (b'{"message":"flat"}', "flat"),
        (b'{"detail":"fastapi"}', "fastapi"),
        (b'{"detail":[{"loc":["body"],"msg":"bad"}]}', '[{"loc":["body"],"msg":"bad"}]'),
        (b'[{"error":{"code":503,"message":"wrapped","status":"UNAVAILABLE"}}]', "wrapped"),
        (b"plain text\n", "plain text"),
        (b'"a JSON string"', "a JSON string"),
        (b"", "HTTP status 500"),
        (b"null", "HTTP status 500"),
        (b"17", "HTTP status 500"),
        (b'{"error":null,"message":"beside"}', "beside"),
    ],
)
def test_the_providers_own_words_are_found(body: bytes, message: str) -> None:
    refused = faults.refused(500, body, None)
    assert message in refused.message
    assert refused.status == 500


def test_the_seconds_to_wait_are_kept() -> None:
    assert faults.refused(429, b"", 2.5).retry_after == 2.5


def test_a_used_up_account_is_not_asked_again_although_its_status_is_429() -> None:
    body = b'{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}'
    assert not faults.refused(429, body, None).retryable


def test_a_long_body_is_cut() -> None:
    refused = faults.refused(400, b"x" * 10_000, None)
    assert len(refused.message) == faults.MESSAGE_LIMIT
    assert refused.message.endswith("…")


@pytest.mark.parametrize(
    "text", ["Incorrect API key: sk-proj-abcdefgh12345678", "Header was Bearer abcdefgh12345678"]
)
def test_a_key_that_the_provider_echoes_is_not_repeated(text: str) -> None:
    assert "abcdefgh1234" not in faults.refused(401, text.encode(), None).message
    assert "abcdefgh1234" not in faults.refused_in_stream(None, None, text).message


@pytest.mark.parametrize(
    ("type_", "code", "message", "expected"),
    [
        ("overloaded_error", None, "", True),
        ("server_error", None, "The server had an error", True),
        ("api_error", None, "Internal", True),
        ("rate_limit_error", None, "", True),
        (None, "rate_limit_exceeded", "", True),
        (None, 502, "Provider returned error", True),
        (None, "503", "", True),
        ("timeout_error", None, "", True),
        (None, None, "Network connection lost.", True),
        (None, None, "peer closed connection without sending complete message body", True),
        (None, None, "read timed out", True),
        ("invalid_request_error", None, "timeout must be positive", False),
        ("invalid_request_error", "context_length_exceeded", "too long", False),
        ("authentication_error", None, "", False),
        ("permission_error", None, "", False),
        (None, 400, "server error", False),
        (None, "content_policy_violation", "", False),
        (None, None, "Invalid API key", False),
        (None, None, "", False),
        ("insufficient_quota", "insufficient_quota", "server is out of money", False),
    ],
)
def test_an_error_inside_a_stream_is_judged_by_its_words(
    type_: str | None, code: str | int | None, message: str, expected: bool
) -> None:
    refused = faults.refused_in_stream(type_, code, message)
    assert refused.retryable is expected
    assert refused.message


def test_an_error_in_a_stream_that_names_a_status_has_it() -> None:
    assert faults.refused_in_stream(None, "529", "x").status == 529
    assert faults.refused_in_stream(None, 7, "x").status is None


@given(st.binary())
def test_no_body_breaks_the_reading(body: bytes) -> None:
    assert faults.refused(500, body, None).message


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"error":' * 100_000 + b"1" + b"}" * 100_000])
def test_a_nesting_bomb_is_read_as_text(body: bytes) -> None:
    assert faults.refused(500, body, None).message
