"""Whatever came from the web, as text that a model can read."""

import asyncio
import os
import re
import sys

import msgspec
from msgspec import DecodeError

from angelia.adapters.readable.charset import decode
from angelia.adapters.readable.shapes import Extractor, Reading, Task
from angelia.errors import ToolError
from angelia.ports.web import Form

CHILDREN = 2
SECONDS = 8
_WORKER = ("-P", "-m", "angelia.adapters.readable.worker")
_HTML = ("text/html", "application/xhtml+xml")
_JSON = re.compile(r"application/json|text/json|.+\+json")
_TEXT = re.compile(
    r"text/.+|.+\+(xml|yaml)|application/(xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|"
    r"x-sh|x-ndjson|jsonl|graphql|sql|x-tex|rtf|x-www-form-urlencoded)|message/.+"
)
_UNSAID = ("", "application/octet-stream", "binary/octet-stream", "application/x-download")
_LOOKED_AT = 8_192


class Body(msgspec.Struct, frozen=True):
    """`is_whole` is False for the beginning of something longer than the limit."""

    kind: str
    charset: str | None
    data: bytes
    is_whole: bool = True


class Reader:
    """HTML and PDF are read in children: hostile ones can take hours and all the memory.

    `seconds` of the processor are all that one may take.
    """

    def __init__(self, extractor: Extractor = "own", seconds: int = SECONDS) -> None:
        self._extractor: Extractor = extractor
        self._seconds = seconds
        self._room = asyncio.Semaphore(CHILDREN)

    async def read(self, body: Body, url: str, form: Form) -> Reading:
        """Raises ToolError for what is no text."""
        kind = _kind(body)
        if kind == "application/pdf":
            return await self._pdf(body, url, form)
        if kind in _HTML and form != "raw":
            task = Task("html", form, url, body.charset, self._extractor, self._seconds)
            return _with_note(await self._in_child(task, body.data), body)
        if _JSON.fullmatch(kind) and form != "raw" and body.is_whole:
            return Reading(_pretty(body))
        if kind in _HTML or _JSON.fullmatch(kind) or _TEXT.fullmatch(kind):
            text = decode(body.data, body.charset, is_markup="ml" in kind)
            return _with_note(Reading(text), body)
        raise ToolError(_not_text(url, kind, body))

    async def _pdf(self, body: Body, url: str, form: Form) -> Reading:
        if not body.is_whole:
            raise ToolError(f"The PDF at {url} is larger than {len(body.data):,} bytes.")
        return await self._in_child(Task("pdf", form, url, seconds=self._seconds), body.data)

    async def _in_child(self, task: Task, data: bytes) -> Reading:
        async with self._room:
            said = await _ask_child(msgspec.json.encode(task) + b"\n" + data)
        try:
            reading = msgspec.json.decode(said, type=Reading)
        except DecodeError as error:
            what = "PDF is broken, or" if task.kind == "pdf" else "page is"
            raise ToolError(
                f"The {what} too much to be read here; try format 'raw', or another source."
            ) from error
        if reading.fault:
            raise ToolError(reading.fault)
        return reading


async def _ask_child(given: bytes) -> bytes:
    """What the child said; nothing, or half of something, if it came to a bad end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *_WORKER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        # Nothing of the server's own environment: there are keys in it.
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"},
    )
    try:
        said, _ = await process.communicate(given)
        return said
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _kind(body: Body) -> str:
    """The media type, or what the bytes look like where it says nothing."""
    if body.kind not in _UNSAID:
        return body.kind
    head = body.data[:_LOOKED_AT]
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        return "text/html"
    return "text/plain" if _looks_like_text(head) else body.kind or "of an unknown kind"


def _looks_like_text(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3 and len(head) == _LOOKED_AT
    return b"\0" not in head


def _pretty(body: Body) -> str:
    text = decode(body.data, body.charset, is_markup=False)
    try:
        return msgspec.json.format(text, indent=2)
    except (DecodeError, RecursionError, UnicodeError):
        return text


def _with_note(reading: Reading, body: Body) -> Reading:
    if body.is_whole:
        return reading
    return Reading(reading.text, f"only the first {len(body.data):,} bytes of it")


def _not_text(url: str, kind: str, body: Body) -> str:
    size = f"{len(body.data):,} bytes" if body.is_whole else f"more than {len(body.data):,} bytes"
    return f"What is at {url} is no text: {kind}, {size}."
