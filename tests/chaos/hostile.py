"""Requests that nobody means well, made by chance from a seed: the same seed, the same requests."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

JsonObject = dict[str, Any]

NUMBERS = (0, -1, 1, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**40, 1e308, -0.5)
TEXTS = (
    *("", " ", "\0", "a\0b", "../../etc/passwd", "%00", "\u202e", "\ufeff", "😀" * 50, "x" * 9000),
    *("'; drop table runs; --", "<script>", "${jndi:ldap://x}", "null", "NaN", "1e999", "\ud800"),
)
VALUES: tuple[Any, ...] = (*NUMBERS, *TEXTS, None, True, [], {}, [[]], {"": {}}, [None] * 50)
CURSORS = ("-1", "0", "99999999", "1" * 30, "1e3", "0x10", "", "abc", "1.5", "%00", "٣", "-0")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "get", "")
PARAMETERS = (
    *("after", "before", "limit", "starting_after", "since", "until", "as", "status", "order"),
    *("q", "session_id", "stream", "include", "group_by", "deltas", "model", "format", "offset"),
)
HEADERS = (
    *("Last-Event-ID", "Range", "Idempotency-Key", "X-Angelia-On-Disconnect", "If-None-Match"),
    *("X-Angelia-Tool-Events", "X-Angelia-Tool-Items", "X-Angelia-Toolsets", "Content-Type"),
    *("X-Hermes-Session-Id", "X-Hermes-Session-Key", "X-OpenWebUI-User-Jwt", "Origin", "Cookie"),
    *("X-OpenWebUI-Chat-Id", "X-OpenWebUI-Task", "Accept", "Content-Encoding", "Expect"),
)
BODIES: tuple[JsonObject, ...] = (
    {"model": "angelia", "messages": [{"role": "user", "content": "hello"}], "stream": True},
    {"model": "angelia", "input": [{"role": "user", "content": "hello"}], "stream": False},
    {"input": "hello", "session_id": "s1", "tools": [], "metadata": {"a": "b"}},
    {"name": "n", "scopes": ["read"], "limits": {"runs": 1}, "expires_at": 1},
    {"title": "t", "metadata": {}, "messages": [{"role": "user", "content": "x"}]},
    {"text": "a note", "user": "u"},
    {"input": "hello", "schedule": "every day at 9", "name": "j"},
    {"approval_id": "a", "decision": "allow", "message": "go on", "enabled": True},
)


class Hostile:
    """`paths` are the routes with their methods; `ids` are such as stand for something."""

    def __init__(self, seed: int, paths: Mapping[str, Sequence[str]], ids: Sequence[str]) -> None:
        self._chance = random.Random(seed)
        self._paths = paths
        self._ids = ids

    def request(self, key: str) -> bytes:
        """One request as bytes; whoever answers it closes the connection."""
        chance = self._chance
        template = chance.choice(list(self._paths))
        usual = chance.choice(self._paths[template])
        method = usual if chance.random() < 0.8 else chance.choice(METHODS)
        body = self._body() if method in ("POST", "PUT", "PATCH") else b""
        head = [f"{method} {self._target(template)} HTTP/1.1", "Host: here", "Connection: close"]
        head += [f"Authorization: Bearer {key if chance.random() < 0.95 else self._word()}"]
        head += [f"{chance.choice(HEADERS)}: {self._word()}" for _ in range(chance.choice((0, 2)))]
        head += [f"Content-Length: {len(body)}"] if body else []
        return "\r\n".join(head).encode("utf-8", "replace") + b"\r\n\r\n" + body

    def _target(self, template: str) -> str:
        parts = (self._id() if part.startswith("{") else part for part in template.split("/"))
        names = self._chance.sample(PARAMETERS, self._chance.choice((0, 1, 3)))
        query = "&".join(f"{name}={self._word()}" for name in names)
        return "/".join(parts) + (f"?{query}" if query else "")

    def _id(self) -> str:
        return self._chance.choice(self._ids) if self._chance.random() < 0.6 else self._word()

    def _word(self) -> str:
        """Whatever fits between the marks of a head."""
        chance = self._chance
        long = "y" * chance.choice((300, 20_000))
        words = (*CURSORS, *self._ids, "%F0%28", "%2e%2e%2f", "bytes=9-1,2-", "é", long)
        return chance.choice(words)

    def _body(self) -> bytes:
        spoil: Callable[[], bytes] = self._chance.choice(
            (self._changed, self._changed, self._changed, self._torn, self._deep, self._noise)
        )
        return spoil()

    def _changed(self) -> bytes:
        """One or two fields of a good body have a value of another kind."""
        chance = self._chance
        body = json.loads(json.dumps(chance.choice(BODIES)))
        for _ in range(chance.choice((0, 1, 2))):
            place: Any = body
            while isinstance(inner := chance.choice(list(place.values())), dict | list) and inner:
                place = inner if isinstance(inner, dict) else {0: inner[0]}
                place = place[0] if 0 in place and isinstance(place[0], dict) else place
                if chance.random() < 0.5:
                    break
            place[chance.choice([*place, "extra"])] = chance.choice(VALUES)
        return json.dumps({str(name): each for name, each in body.items()}).encode()

    def _torn(self) -> bytes:
        whole = msgspec.json.encode(self._chance.choice(BODIES))
        at = self._chance.randrange(len(whole))
        return whole[:at] + self._chance.choice((b"", b"\xff\xfe", b"\0", b"}", b"\xed\xa0\x80"))

    def _deep(self) -> bytes:
        depth = self._chance.choice((50, 2_000, 100_000))
        opening, closing = self._chance.choice(((b"[", b"]"), (b'{"input":', b"}")))
        return b'{"input": ' + opening * depth + b"1" + closing * depth + b"}"

    def _noise(self) -> bytes:
        return self._chance.randbytes(self._chance.choice((1, 30, 3_000)))
