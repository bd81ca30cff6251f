"""What a client says to a proxy, and what the proxy says back."""

import re

from msgspec import Struct

from angelia.wire import urls

MAX_HEAD = 32 * 1024

_LINE = re.compile(r"(?P<method>[A-Z][A-Z-]{0,19}) (?P<target>[!-~]{1,8192}) HTTP/1\.[01]")
_FIELD = re.compile(r"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(?P<value>[^\x00\r\n]*)")
# Between a client and its proxy alone.
_OURS = frozenset(
    ("connection", "host", "keep-alive", "proxy-authorization", "proxy-connection", "upgrade")
)


class Passage(Struct, frozen=True):
    """Where a client wants to go. `head` is what is sent there first; a tunnel sends nothing."""

    host: str
    port: int
    head: bytes = b""


def parse(head: bytes) -> Passage:
    """Of everything up to the empty line. Raises ValueError, which says what is wrong."""
    first, *rest = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    line = _LINE.fullmatch(first)
    if line is None:
        raise ValueError("this is not a request to a proxy")
    if line["method"] == "CONNECT":
        return _tunnel(line["target"])
    return _forwarded(line["method"], line["target"], rest)


def answer(status: int, words: str, why: str = "") -> bytes:
    body = f"{why}\n" if why else ""
    lines = (
        f"HTTP/1.1 {status} {words}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body.encode())}",
        "Connection: close",
    )
    return "\r\n".join((*lines, "", body)).encode()


ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


def _tunnel(target: str) -> Passage:
    if not re.search(r":\d{1,5}$", target):
        raise ValueError("CONNECT needs a host and a port")
    return Passage(*urls.authority(target, 443))


def _forwarded(method: str, target: str, fields: list[str]) -> Passage:
    """One request, then the end: whatever follows it belongs to the same host."""
    url = urls.parse(target)
    if url.scheme != "http":
        raise ValueError("https goes through CONNECT")
    kept = [f"{method} {url.rest} HTTP/1.1", f"Host: {_spelled(url)}", "Connection: close"]
    for field in fields:
        found = _FIELD.fullmatch(field)
        if found is None:
            raise ValueError("a header cannot be read")
        if found["name"].lower() not in _OURS:
            kept.append(field)
    return Passage(url.host, url.port, ("\r\n".join(kept) + "\r\n\r\n").encode("latin-1"))


def _spelled(url: urls.Url) -> str:
    return str(url).partition("://")[2].removesuffix(url.rest)
