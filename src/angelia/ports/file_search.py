"""Files found by their names and by what is in them."""

from typing import Literal, Protocol

from msgspec import Struct

SearchMode = Literal["content", "files", "count"]


class FileQuery(Struct, frozen=True):
    """What to look for below `path`, a place in the workspace without links on its way.

    `pattern` is a regular expression for a line; without one, files are found by their names.
    `glob` fits paths relative to the workspace. Hidden files and what .gitignore names are left
    out unless wanted; `.git` always is.
    """

    pattern: str = ""
    glob: str = ""
    path: str = "."
    mode: SearchMode = "content"
    ignore_case: bool = False
    context: int = 0
    hidden: bool = False
    ignored: bool = False


class FileHit(Struct, frozen=True):
    """A file; in it a line that fits or stands beside one, or how many do."""

    path: str
    line: int = 0
    text: str = ""
    beside: bool = False
    count: int = 0


class FileHits(Struct, frozen=True):
    """By path and line. Where there are `more`, the search was ended before it was through."""

    hits: tuple[FileHit, ...] = ()
    more: bool = False


class FileSearch(Protocol):
    @property
    def dialect(self) -> str:
        """Which regular expressions it takes, in words for the model."""
        ...

    async def search(self, query: FileQuery) -> FileHits:
        """Raises ToolError for a pattern that is none, and for a search that takes too long."""
        ...
