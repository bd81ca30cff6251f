"""Files searched by ripgrep, which runs where commands run.

Whoever could swap a folder for a link while it works can run commands, and commands see no less
than it does: it has no way out that they have not.
"""

import asyncio
import re
import shlex
from collections.abc import Iterator

from angelia.adapters.file_matching import in_order
from angelia.core.gitignore import FILE as GITIGNORE
from angelia.core.gitignore import Ignored, ancestors
from angelia.core.globs import glob, last_name
from angelia.core.grep import MAX_HITS, cut
from angelia.errors import ToolError
from angelia.ports import Command, Sandbox, Workspace
from angelia.ports.file_search import FileHit, FileHits, FileQuery, FileSearch

SECONDS = 60.0
# Nothing but the .gitignore files of the workspace itself decides what is left out, and .rgignore
# files there, which ripgrep heeds as long as it heeds any.
_ALONE = (
    *("--no-config", "--no-messages", "--color=never", "--no-mmap", "--crlf", "--no-require-git"),
    *("--no-ignore-parent", "--no-ignore-global", "--no-ignore-exclude", "--no-ignore-dot"),
    *("--null", "--with-filename"),
)
_SHAPE = {
    "content": ("--line-number", "--no-heading", "--no-context-separator"),
    "files": ("--files-with-matches",),
    "count": ("--count",),
}
_PLAIN_NAME = re.compile(r"[\w.*?-]+")
_NOT_THERE = (126, 127)
_FAILED = 2


class RipgrepSearch:
    """`otherwise` is asked from the moment on that there turns out to be no ripgrep."""

    dialect = "Rust's `regex`: no look-around, no back-references"

    def __init__(self, sandbox: Sandbox, workspace: Workspace, otherwise: FileSearch) -> None:
        self._sandbox = sandbox
        self._workspace = workspace
        self._otherwise = otherwise
        self._missing = False

    async def search(self, query: FileQuery) -> FileHits:
        if self._missing:
            return await self._otherwise.search(query)
        filtered = _Filter(query, await self._rules(query))
        try:
            async with asyncio.timeout(SECONDS):
                code, said, more = await self._run(_line(query, filtered.at_the_top), filtered)
        except TimeoutError:
            raise ToolError(
                f"The search took longer than {SECONDS:g} s; name a folder or a glob."
            ) from None
        if code in _NOT_THERE:
            self._missing = True
            return await self._otherwise.search(query)
        if code == _FAILED and said.strip():
            raise ToolError(f"'pattern' is not a regular expression: {_reason(said)}")
        return FileHits(in_order(filtered.hits), more)

    async def _rules(self, query: FileQuery) -> dict[str, str]:
        """What is said above the place where ripgrep begins, and so does not look."""
        if query.ignored or query.path == ".":
            return {}
        texts: dict[str, str] = {}
        for folder in ancestors(query.path.rpartition("/")[0]):
            file = f"{folder}/{GITIGNORE}" if folder else GITIGNORE
            try:
                texts[folder] = (await self._workspace.read(file)).decode(errors="replace")
            except ToolError:
                continue
        return texts

    async def _run(self, line: str, filtered: "_Filter") -> tuple[int, str, bool]:
        process = await self._sandbox.start(Command(line))
        errors = bytearray()
        try:
            while (piece := await process.next()) is not None:
                data, stream = piece
                if stream == "stderr":
                    errors += data[:4096]
                elif filtered.feed(data):
                    return 0, "", True
            return (await process.wait()).code, errors.decode(errors="replace"), False
        finally:
            await process.kill()


class _Filter:
    """What ripgrep prints, made into hits; those that ripgrep could not tell apart are dropped."""

    def __init__(self, query: FileQuery, rules: dict[str, str]) -> None:
        self._query = query
        self._ignored = Ignored(rules, query.path) if rules else None
        self._glob = glob(query.glob) if query.glob else None
        self._lines = bool(query.pattern) and query.mode != "files"
        self._rest = b""
        self._wanted: dict[bytes, bool] = {}
        self.at_the_top = "" in rules
        self.hits: list[FileHit] = []

    def feed(self, data: bytes) -> bool:
        """Whether that is enough."""
        for path, rest in self._records(self._rest + data):
            if not self._is_wanted(path):
                continue
            hit = self._hit(path, rest)
            if hit is not None:
                if len(self.hits) >= MAX_HITS:
                    return True
                self.hits.append(hit)
        return False

    def _records(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        at = 0
        while (end := data.find(b"\0", at)) >= 0:
            path, behind = data[at:end], end + 1
            if self._lines:
                if (behind := data.find(b"\n", end)) < 0:
                    break
                behind += 1
            at = behind
            yield path, data[end + 1 : behind - 1]
        self._rest = data[at:]

    def _is_wanted(self, path: bytes) -> bool:
        known = self._wanted.get(path)
        if known is None:
            known = self._wanted[path] = self._fits(_name(path))
        return known

    def _fits(self, path: str) -> bool:
        if self._glob is not None and not self._glob.fullmatch(path):
            return False
        return self._ignored is None or not self._ignored(path, folder=False)

    def _hit(self, path: bytes, rest: bytes) -> FileHit | None:
        name = _name(path)
        if not self._lines:
            return FileHit(name)
        digits = len(rest) - len(rest.lstrip(b"0123456789"))
        if not digits:
            return None
        if self._query.mode == "count":
            return FileHit(name, count=int(rest))
        mark, text = rest[digits : digits + 1], rest[digits + 1 :].removesuffix(b"\r")
        if mark not in (b":", b"-"):
            return None
        shown = cut(text.decode(errors="replace").removeprefix("\ufeff"))
        return FileHit(name, int(rest[:digits]), shown, beside=mark == b"-")


def _line(query: FileQuery, at_the_top: bool) -> str:
    words = ["exec", "rg", *_ALONE, "--glob=!.git"]
    if query.hidden:
        words.append("--hidden")
    if query.ignored:
        words.append("--no-ignore")
    elif at_the_top:
        words.append(f"--ignore-file={GITIGNORE}")
    name = last_name(query.glob) if query.glob else None
    if name is not None and _PLAIN_NAME.fullmatch(name):
        words += [f"--type-add=wanted:{name}", "--type=wanted"]
    if not query.pattern:
        words.append("--files")
    else:
        # Of a long line the beginning is shown, which is cut once more.
        words += ["--max-columns=4096", "--max-columns-preview", *_SHAPE[query.mode]]
        words += ["--ignore-case"] if query.ignore_case else []
        words += [f"--context={query.context}"] if query.context and query.mode == "content" else []
        words += [f"--regexp={query.pattern}"]
    return shlex.join([*words, "--", "." if query.path == "." else f"./{query.path}"])


def _name(path: bytes) -> str:
    return path.removeprefix(b"./").decode(errors="replace")


def _reason(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    wrong = next((line for line in reversed(lines) if line.startswith("error:")), lines[-1])
    return wrong.removeprefix("error:").strip()[:300]
