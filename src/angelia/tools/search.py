"""The tool `search_files`: files found by what is in them and by their names."""

from collections.abc import Iterator, Sequence
from typing import Annotated, assert_never

from msgspec import Meta

from angelia.core.globs import glob
from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Tool, ToolContext, Workspace
from angelia.ports.file_search import FileHit, FileHits, FileQuery, FileSearch, SearchMode
from angelia.tools.define import Arguments, tool
from angelia.tools.files import WorkspacePath, normalised

DEFAULT_HITS = 100
MOST_HITS = 1000
MOST_CONTEXT = 10
NARROWER = "name a folder with 'path' or files with 'glob', or raise 'limit'"


class SearchFiles(Arguments, frozen=True):
    pattern: Annotated[str, Meta(max_length=2000, description="Regular expression for a line.")] = (
        ""
    )
    glob: Annotated[
        str, Meta(max_length=500, description="Names of files, such as *.py or src/**/*.{ts,tsx}.")
    ] = ""
    path: WorkspacePath = "."
    mode: Annotated[
        SearchMode, Meta(description="Matching lines, names of files, or lines counted by file.")
    ] = "content"
    ignore_case: Annotated[bool, Meta(description="Whether A is the same as a.")] = False
    context: Annotated[
        int, Meta(ge=0, le=MOST_CONTEXT, description="Lines to show before and after each match.")
    ] = 0
    hidden: Annotated[bool, Meta(description="Look at hidden files too.")] = False
    ignored: Annotated[bool, Meta(description="Look at what .gitignore names too.")] = False
    limit: Annotated[
        int, Meta(ge=1, le=MOST_HITS, description="Most matching lines or files to show.")
    ] = DEFAULT_HITS


def search_files(workspace: Workspace, search: FileSearch) -> Tool:
    @tool(
        SearchFiles,
        name="search_files",
        description=(
            "Search the files of the workspace for lines that fit the regular expression `pattern` "
            f"({search.dialect}), or find files by name with `glob` alone. Hidden files, binary "
            "files and what .gitignore names are left out."
        ),
        effect="pure",
        emoji="🔎",
        label=lambda arguments: arguments.pattern or arguments.glob,
        touched=lambda arguments: Touched(paths=(normalised(arguments.path),)),
        toolset="files",
    )
    async def run(arguments: SearchFiles, context: ToolContext) -> str:
        query = await _query(workspace, arguments)
        return report(await search.search(query), query, arguments.limit)

    return run


async def _query(workspace: Workspace, wanted: SearchFiles) -> FileQuery:
    if not wanted.pattern and not wanted.glob:
        raise ToolError("Give a 'pattern' to search for, or a 'glob' to find files by name.")
    for field, text in (("pattern", wanted.pattern), ("glob", wanted.glob)):
        if "\0" in text or "\n" in text or not _sayable(text):
            raise ToolError(f"{field!r} has a character that no line or name can have in it.")
    if wanted.glob:
        glob(wanted.glob)
    place = await workspace.place(wanted.path)
    entry = (await workspace.list(place, 0))[0]
    if entry.kind not in ("file", "folder"):
        raise ToolError(f"{wanted.path[:200]!r} is not a file or a folder.")
    return FileQuery(
        pattern=wanted.pattern,
        glob=wanted.glob,
        path=place,
        mode=wanted.mode if wanted.pattern else "files",
        ignore_case=wanted.ignore_case,
        context=wanted.context,
        hidden=wanted.hidden,
        ignored=wanted.ignored,
    )


def _sayable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def report(found: FileHits, query: FileQuery, limit: int) -> str:
    """The first hits, and a last line that says how many there are and how to see others."""
    if not found.hits:
        left_out = [] if query.hidden else ["hidden files"]
        left_out += [] if query.ignored else ["what .gitignore names"]
        but = f"; {' and '.join(left_out)} left out" if left_out else ""
        return f"[nothing found{but}]"
    shown = _first(found.hits, limit)
    return "\n".join((*_lines(shown, query), _summary(found, shown, query)))


def _first(hits: Sequence[FileHit], limit: int) -> list[FileHit]:
    """Up to so many that fit, with those beside them."""
    fitting = 0
    for at, hit in enumerate(hits):
        fitting += not hit.beside
        if fitting > limit:
            return list(hits[:at])
    return list(hits)


def _lines(hits: Sequence[FileHit], query: FileQuery) -> Iterator[str]:
    match query.mode:
        case "files":
            yield from (hit.path for hit in hits)
        case "count":
            yield from (f"{hit.path}: {hit.count}" for hit in hits)
        case "content":
            yield from _grouped(hits)
        case _:
            assert_never(query.mode)


def _grouped(hits: Sequence[FileHit]) -> Iterator[str]:
    before: FileHit | None = None
    for hit in hits:
        if before is None or before.path != hit.path:
            yield hit.path
        elif hit.line > before.line + 1 and (hit.beside or before.beside):
            yield "  --"
        yield f"  {hit.line}{'-' if hit.beside else ':'} {hit.text}"
        before = hit


def _summary(found: FileHits, shown: Sequence[FileHit], query: FileQuery) -> str:
    if query.mode == "content":
        there, here = _counted(found.hits), _counted(shown)
        what = f"matching {'line' if there == 1 else 'lines'} in {_files(found.hits)}"
    else:
        there, here = len(found.hits), len(shown)
        what = "file" if there == 1 else "files"
        if query.mode == "count":
            what += f" with {sum(hit.count for hit in found.hits):,} matching lines"
    if found.more:
        return f"[{here:,} of more than {there:,} {what}; {NARROWER}]"
    return f"[{here:,} of {there:,} {what}; {NARROWER}]" if here < there else f"[{there:,} {what}]"


def _counted(hits: Sequence[FileHit]) -> int:
    return sum(not hit.beside for hit in hits)


def _files(hits: Sequence[FileHit]) -> str:
    count = len({hit.path for hit in hits})
    return f"{count:,} {'file' if count == 1 else 'files'}"
