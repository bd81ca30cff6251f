"""What clients say to a proxy."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire.proxying import Passage, answer, parse


@pytest.mark.parametrize(
    ("target", "host", "port"),
    [
        ("wheels.example:443", "wheels.example", 443),
        ("Wheels.example.:443", "wheels.example", 443),
        ("[::1]:80", "::1", 80),
        ("2130706433:80", "127.0.0.1", 80),
    ],
)
def test_a_tunnel_names_a_host_and_a_port(target: str, host: str, port: int) -> None:
    assert parse(f"CONNECT {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode()) == Passage(host, port)


def test_a_request_is_passed_on_without_what_was_meant_for_the_proxy() -> None:
    head = (
        b"POST http://Example.com:8080/a?b HTTP/1.1\r\nHost: evil.example\r\nAccept: */*\r\n"
        b"Proxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\n"
        b"Connection: keep-alive\r\nContent-Length: 3\r\n\r\n"
    )
    assert parse(head) == Passage(
        "example.com",
        8080,
        b"POST /a?b HTTP/1.1\r\nHost: example.com:8080\r\nConnection: close\r\n"
        b"Accept: */*\r\nContent-Length: 3\r\n\r\n",
    )


@pytest.mark.parametrize(
    "head",
    [
        b"", b"hello", b"GET / HTTP/1.1", b"GET /x HTTP/1.1", b"GET http://x.example/ HTTP/2",
        b"GET https://x.example/ HTTP/1.1", b"GET ftp://x.example/ HTTP/1.1",
        b"CONNECT x.example HTTP/1.1", b"CONNECT x.example:0 HTTP/1.1", b"CONNECT :443 HTTP/1.1",
        b"CONNECT user@x.example:443 HTTP/1.1", b"CONNECT x.example:443",
        b"GET http://user:pw@x.example/ HTTP/1.1", b"get http://x.example/ HTTP/1.1",
        b"GET  http://x.example/ HTTP/1.1", b"GET http://x.example/ HTTP/1.1\r\n folded: x",
        b"GET http://x.example/ HTTP/1.1\r\nno colon", b"GET http://x.example/ HTTP/1.1\r\na b: c",
        b"GET http://x.example/ HTTP/1.1\r\na: b\nc: d", b"\x16\x03\x01\x02\x00",
    ],
)  # fmt: skip
def test_everything_else_is_a_fault(head: bytes) -> None:
    with pytest.raises(ValueError):
        parse(head + b"\r\n\r\n")


@given(st.binary())
def test_any_bytes_are_a_passage_or_a_fault(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        parse(data)


def test_an_answer_has_the_length_that_it_says() -> None:
    head, _, body = answer(403, "Forbidden", "Nö.").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 403 Forbidden\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
