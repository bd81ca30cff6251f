"""One file held against a query; shared by all searches that read files themselves."""

import re
from collections.abc import Iterator

from angelia.core.globs import glob
from angelia.core.grep import compiled, cut, lines_of, matching, readable
from angelia.ports.file_search import FileHit, FileQuery


class Matcher:
    """Raises ToolError at once for patterns that are none."""

    def __init__(self, query: FileQuery) -> None:
        self._query = query
        self._fits: re.Pattern[str] | None = None
        if query.pattern:
            self._fits = compiled(query.pattern, ignore_case=query.ignore_case)
        self._glob = glob(query.glob) if query.glob else None

    @property
    def by_name(self) -> bool:
        return self._fits is None

    def named(self, path: str) -> bool:
        return self._glob is None or self._glob.fullmatch(path) is not None

    def hits(self, path: str, data: bytes) -> Iterator[FileHit]:
        """Of a file whose name fits."""
        text = readable(data) if self._fits is not None else None
        if self._fits is None or text is None:
            return iter(())
        found = list(matching(text, self._fits))
        match self._query.mode:
            case "files":
                return iter((FileHit(path),) if found else ())
            case "count":
                return iter((FileHit(path, count=len(found)),) if found else ())
            case "content":
                return self._lines(path, lines_of(text), found)

    def _lines(self, path: str, lines: list[str], found: list[int]) -> Iterator[FileHit]:
        around = self._query.context
        fits = set(found)
        shown = {
            near
            for at in found
            for near in range(max(0, at - around), min(len(lines), at + around + 1))
        }
        for number in sorted(shown):
            yield FileHit(path, number + 1, cut(lines[number]), beside=number not in fits)


def hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def in_order(hits: list[FileHit]) -> tuple[FileHit, ...]:
    return tuple(sorted(hits, key=lambda hit: (hit.path.split("/"), hit.line)))
