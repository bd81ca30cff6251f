"""The built console in front of the API: `/` and what its page loads; all else goes on.

`web/` is built into `static/` beside this file, each file with a compressed twin.
"""

import asyncio
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(__file__).parent / "static"
PAGE = "index.html"
# Scripts and styles come from here alone, and none are written into the page; markup that a script
# would make of text is refused by the browser.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Vary": "Accept-Encoding",
}
_UNKEPT = {**HEADERS, "Cache-Control": "no-store"}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
# The smaller one first.
ENCODINGS = {"br": ".br", "gzip": ".gz"}
NO_WEIGHT = re.compile(r"0(\.0{0,3})?")
# The build puts a digest of the content into the names below it.
FOREVER = "public, max-age=31536000, immutable"
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Angelia</title>
<h1>Angelia is running, without its console</h1>
<p>The console is a page that has to be built once, which needs Node 20.19 or newer:</p>
<pre>make console</pre>
<p>Packages of Angelia carry it built. The API is there all the same: see
<a href="/openapi.json">/openapi.json</a>.</p>
"""


class File(Struct, frozen=True):
    place: Path
    media_type: str


class Console:
    """An ASGI application before another one; what is no file of the console goes to that one."""

    def __init__(self, app: ASGIApp, folder: Path = STATIC) -> None:
        self._app = app
        self._files = dict(_files(folder))

    @property
    def is_built(self) -> bool:
        return "/" in self._files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path in self._files:
            response = await self._answer(path, Headers(scope=scope))
        elif path == "/":
            response = Response(NOT_BUILT, 200, _UNKEPT, "text/html")
        else:
            await self._app(scope, receive, send)
            return
        await response(scope, receive, send)

    async def _answer(self, path: str, asked: Headers) -> Response:
        file = self._files[path]
        accepted = _accepted(asked.getlist("accept-encoding"))
        body, encoding = await asyncio.to_thread(_read, file, accepted)
        mark = f'"{sha256(body).hexdigest()[:32]}"'
        kept = FOREVER if path.startswith("/assets/") else "no-cache"
        headers = {**HEADERS, "Cache-Control": kept, "ETag": mark, "Content-Type": file.media_type}
        if encoding:
            headers["Content-Encoding"] = encoding
        if _is_known(mark, asked.getlist("if-none-match")):
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers)


def _files(folder: Path) -> Iterator[tuple[str, File]]:
    for place in sorted(folder.rglob("*")):
        if place.is_file() and place.suffix in TYPES:
            name = "/" + place.relative_to(folder).as_posix()
            yield "/" if name == f"/{PAGE}" else name, File(place, TYPES[place.suffix])


def _read(file: File, accepted: frozenset[str]) -> tuple[bytes, str]:
    """What the file holds, compressed if it is kept so and the browser takes that."""
    for encoding, ending in ENCODINGS.items():
        twin = file.place.with_name(file.place.name + ending)
        if encoding in accepted and twin.is_file():
            return twin.read_bytes(), encoding
    return file.place.read_bytes(), ""


def _accepted(values: list[str]) -> frozenset[str]:
    """The encodings that are named and not refused; `*` names all that are not named."""
    weights = dict(_weighed(part) for value in values for part in value.split(","))
    usual = weights.get("*", False)
    return frozenset(name for name in ENCODINGS if weights.get(name, usual))


def _weighed(part: str) -> tuple[str, bool]:
    name, _, weight = part.partition(";")
    _, _, number = weight.partition("=")
    return name.strip().lower(), not NO_WEIGHT.fullmatch(number.strip())


def _is_known(mark: str, values: list[str]) -> bool:
    """Whether the browser has what the mark stands for; one that is weak is as good here."""
    marks = {part.strip().removeprefix("W/") for value in values for part in value.split(",")}
    return mark in marks or "*" in marks
