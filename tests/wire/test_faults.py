"""Refusals of providers: the shapes they come in, read into one error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.wire import faults
from angelia.wire.faults import Said


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
        (b'{"error":{"message":"Failed","metadata":{"raw":"too long"}}}', "Failed too long"),
        (b'{"error":{"message":"Failed","metadata":{"raw":7}}}', "Failed"),
    ],
)
def test_the_providers_own_words_are_found(body: bytes, message: str) -> None:
    refused = faults.refused(500, body)
    assert message in refused.message
    assert refused.status == 500


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ({"type": "t", "code": "c"}, ("t", "c")),
        ({"status": "UNAVAILABLE", "code": 503}, ("UNAVAILABLE", "503")),
        ({"type": 7, "code": True}, (None, None)),
        ({"code": "x" * 1000}, (None, "x" * 100)),
    ],
)
def test_the_providers_type_and_code_are_kept(error: dict, words: tuple) -> None:
    refused = faults.refused(400, json.encode({"error": error}))
    assert (refused.their_type, refused.their_code) == words


@pytest.mark.parametrize(("told", "limit"), [(65536, 65536), (0, None), ("many", None)])
def test_how_much_the_model_reads_is_found_beside_the_message(
    told: object, limit: int | None
) -> None:
    body = json.encode({"error": {"message": "too long", "n_ctx": told}})
    assert faults.refused(400, body).limit == limit


def test_headers_about_waiting_are_kept_and_no_others() -> None:
    headers = {
        "Retry-After": "3",
        "X-RateLimit-Reset-Tokens": "6m0s",
        "anthropic-ratelimit-requests-remaining": "0",
        "Set-Cookie": "secret",
        "X-Request-Id": "1",
    }
    assert faults.refused(429, b"", headers).headers == {
        "retry-after": "3",
        "x-ratelimit-reset-tokens": "6m0s",
        "anthropic-ratelimit-requests-remaining": "0",
    }


def test_a_long_body_is_cut() -> None:
    refused = faults.refused(400, b"x" * 10_000)
    assert len(refused.message) == faults.MESSAGE_LIMIT
    assert refused.message.endswith("…")


@pytest.mark.parametrize(
    "text", ["Incorrect API key: sk-proj-abcdefgh12345678", "Header was Bearer abcdefgh12345678"]
)
def test_a_key_that_the_provider_echoes_is_not_repeated(text: str) -> None:
    assert "abcdefgh1234" not in faults.refused(401, text.encode()).message
    refused = faults.refused_in_stream(Said(text, text, text))
    told = (refused.message, refused.their_type, refused.their_code)
    assert not any("abcdefgh1234" in str(word) for word in told)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (Said("Busy", "overloaded_error"), "Busy"),
        (Said("", "overloaded_error"), "overloaded_error"),
        (Said("", None, "rate_limit"), "rate_limit"),
        (Said(), "unknown error"),
    ],
)
def test_an_error_inside_a_stream_always_says_something(said: Said, message: str) -> None:
    assert faults.refused_in_stream(said).message == message


@pytest.mark.parametrize(
    ("code", "status"), [("529", 529), (502, 502), (7, None), ("context", None), (None, None)]
)
def test_an_error_in_a_stream_that_names_a_status_has_it(code: object, status: int | None) -> None:
    assert faults.refused_in_stream(Said("x", None, code)).status == status


@given(st.binary())
def test_no_body_breaks_the_reading(body: bytes) -> None:
    assert faults.refused(500, body).message


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"error":' * 100_000 + b"1" + b"}" * 100_000])
def test_a_nesting_bomb_is_read_as_text(body: bytes) -> None:
    assert faults.refused(500, body).message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            b"<html>\r\n<head><title>502 Bad Gateway</title></head><body>nginx</body>",
            "502 Bad Gateway",
        ),
        (b"<!DOCTYPE html><TITLE lang=en>\n Just a\n moment </TITLE>", "Just a moment"),
        (b"<?xml version='1.0'?><Error><Code>Denied</Code>\n<Message>No.</Message>", "Denied No."),
        (b"<html></html>", "The provider answered with HTTP status 502."),
        (b"< 3 tokens are too few", "< 3 tokens are too few"),
    ],
)
def test_a_page_for_people_is_known_by_its_title(body: bytes, message: str) -> None:
    assert faults.refused(502, body).message == message
