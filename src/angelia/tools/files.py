"""The tools `read_file`, `write_file` and `list_files`: the workspace as a model sees it."""

import posixpath
from collections.abc import Sequence
from contextlib import aclosing
from typing import Annotated, Literal, assert_never

from msgspec import Meta

from angelia.core.diffs import shortened, unified
from angelia.core.gitignore import FILE as GITIGNORE
from angelia.core.gitignore import Ignored, ancestors
from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import ChangeJournal, Edit, Listed, Tool, ToolContext, Workspace
from angelia.tools.define import Arguments, near_name, tool
from angelia.tools.kinds import is_binary, kind_of
from angelia.tools.reading import COUNTED, LineWindow, Transcoder, shown

DEFAULT_LINES = 2000
MAX_LISTED = 1000
SNIFFED = 8192
DIFF_LINES = 80

WorkspacePath = Annotated[str, Meta(min_length=1, description="Path, relative to the workspace.")]


class ReadFile(Arguments, frozen=True):
    path: WorkspacePath
    offset: Annotated[int, Meta(ge=1, description="First line to read, counted from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, description="How many lines to read.")] = DEFAULT_LINES
    line_numbers: Annotated[bool, Meta(description="Put its number before each line.")] = False


class WriteFile(Arguments, frozen=True):
    path: WorkspacePath
    content: Annotated[str, Meta(description="The whole content of the file.")]


class ListFiles(Arguments, frozen=True):
    path: WorkspacePath = "."
    depth: Annotated[int, Meta(ge=1, le=5, description="How many levels of folders to show.")] = 1
    ignored: Annotated[
        Literal["mark", "skip"],
        Meta(description="Whether what .gitignore names is marked or left out."),
    ] = "mark"


def normalised(path: str) -> str:
    """One spelling per file, so that calls that touch the same one share a lane."""
    return posixpath.normpath(path)


def read_file(workspace: Workspace) -> Tool:
    @tool(
        ReadFile,
        name="read_file",
        description=(
            "Read a text file of the workspace, or a range of its lines. Files of any size can be "
            "read in windows; long lines are cut. Of other files it says what they are."
        ),
        effect="pure",
        emoji="📖",
        label=lambda arguments: arguments.path,
        lane=lambda arguments: normalised(arguments.path),
        touched=lambda arguments: Touched(paths=(normalised(arguments.path),)),
        toolset="files",
    )
    async def run(arguments: ReadFile, context: ToolContext) -> str:
        try:
            return await _window(workspace, arguments)
        except ToolError as error:
            near = await _near(workspace, arguments.path)
            raise ToolError(f"{error} Did you mean {near!r}?" if near else str(error)) from error

    return run


def write_file(workspace: Workspace, journal: ChangeJournal) -> Tool:
    @tool(
        WriteFile,
        name="write_file",
        effect="idempotent",
        emoji="📝",
        label=lambda arguments: arguments.path,
        lane=lambda arguments: normalised(arguments.path),
        touched=lambda arguments: Touched(paths=(normalised(arguments.path),)),
        toolset="files",
    )
    async def run(arguments: WriteFile, context: ToolContext) -> str:
        """Write a whole file in the workspace; folders on the way are made.

        To change parts of a file, use `patch` instead.
        """
        data = encoded(arguments.content, "content")
        before = await _before(workspace, arguments.path)
        await journal.before_edits(context.run_id, context.call_id, (Edit(arguments.path, data),))
        await workspace.write(arguments.path, data)
        news = "new file" if before is None else "replaced"
        said = f"Wrote {len(data)} bytes to {arguments.path} ({news})"
        diff = _difference(arguments.path, before, arguments.content)
        return f"{said}\n{diff}" if diff else said

    return run


def list_files(workspace: Workspace) -> Tool:
    @tool(
        ListFiles,
        name="list_files",
        effect="pure",
        emoji="📂",
        label=lambda arguments: arguments.path,
        touched=lambda arguments: Touched(paths=(normalised(arguments.path),)),
        toolset="files",
    )
    async def run(arguments: ListFiles, context: ToolContext) -> str:
        """List the files and folders of a folder in the workspace, with sizes in bytes."""
        entries = await workspace.list(arguments.path, arguments.depth)
        ignored = await _ignored(workspace, arguments.path, entries)
        if arguments.ignored == "skip":
            entries = [entry for entry in entries if entry.path not in ignored]
        return listing(entries, ignored)

    return run


def encoded(text: str, field: str) -> bytes:
    """As UTF-8, which half of a surrogate pair has no place in."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ToolError(f"{field!r} has a character that is none at {error.start}.") from error


# ── reading ─────────────────────────────────────────────────────────────────────────────────


async def _window(workspace: Workspace, wanted: ReadFile) -> str:
    size = await _size(workspace, wanted.path)
    window = LineWindow(wanted.offset, wanted.limit, to_the_end=size <= COUNTED)
    transcoder: Transcoder | None = None
    async with aclosing(workspace.pieces(wanted.path)) as pieces:
        async for piece in pieces:
            if transcoder is None:
                if is_binary(head := piece[:SNIFFED]):
                    return _named(wanted.path, head, size)
                transcoder = Transcoder(head)
            window.feed(transcoder(piece))
            if window.satisfied:
                break
    window.finish()
    encoding = (transcoder and transcoder.encoding) or ""
    return shown(
        window,
        wanted.offset,
        numbered=wanted.line_numbers,
        whole=not window.satisfied,
        encoding="" if encoding == "utf-8" else encoding,
    )


def _named(path: str, head: bytes, size: int) -> str:
    kind = kind_of(head)
    if kind is not None and "image" in kind:
        return f"[{path} is an image ({kind}) of {size:,} bytes]"
    return f"[{path} is a binary file{f' ({kind})' if kind else ''} of {size:,} bytes]"


async def _size(workspace: Workspace, path: str) -> int:
    """A listing of depth 0 is the entry itself; through a link it is not known."""
    place = await workspace.place(path)
    return (await workspace.list(place, 0))[0].size


async def _near(workspace: Workspace, path: str) -> str | None:
    """A path in the same folder that was probably meant, if `path` itself is not there."""
    folder, name = posixpath.split(normalised(path))
    try:
        siblings = await workspace.list(folder or ".")
    except ToolError:
        return None
    names = {posixpath.basename(entry.path): entry.path for entry in siblings}
    near = None if name in names else near_name(name, names)
    return names[near] if near else None


# ── writing ─────────────────────────────────────────────────────────────────────────────────


async def _before(workspace: Workspace, path: str) -> bytes | None:
    """What is about to be replaced, as far as a diff can show it; None if there is nothing."""
    try:
        entry = (await workspace.list(await workspace.place(path), 0))[0]
    except ToolError:
        return None
    try:
        return await workspace.read(path) if entry.kind == "file" else b""
    except ToolError:
        return b"\0"


def _difference(path: str, before: bytes | None, after: str) -> str:
    if before is None or is_binary(before[:SNIFFED]):
        return ""
    return shortened(unified(path, before.decode(errors="replace"), after), DIFF_LINES)


# ── listing ─────────────────────────────────────────────────────────────────────────────────


async def _ignored(workspace: Workspace, path: str, entries: Sequence[Listed]) -> frozenset[str]:
    """Paths among the entries that a .gitignore names, or that lie in a folder it names."""
    top = "" if (place := await workspace.place(path)) == "." else place
    folders = {*ancestors(top), *(entry.path for entry in entries if entry.kind == "folder")}
    listed = {entry.path for entry in entries}
    texts: dict[str, str] = {}
    for folder in folders:
        file = f"{folder}/{GITIGNORE}" if folder else GITIGNORE
        if file in listed or top.startswith(folder):
            texts |= await _rules(workspace, folder, file)
    if not texts:
        return frozenset()
    rules = Ignored(texts)
    return frozenset(e.path for e in entries if rules(e.path, folder=e.kind == "folder"))


async def _rules(workspace: Workspace, folder: str, file: str) -> dict[str, str]:
    try:
        return {folder: (await workspace.read(file)).decode(errors="replace")}
    except ToolError:
        return {}


def listing(entries: Sequence[Listed], ignored: frozenset[str] = frozenset()) -> str:
    lines = [
        _line(entry) + ("  (ignored)" if entry.path in ignored else "")
        for entry in entries[:MAX_LISTED]
    ]
    if len(entries) > MAX_LISTED:
        lines.append(f"[{MAX_LISTED:,} of {len(entries):,} entries; list a folder further down]")
    return "\n".join(lines) or "[the folder is empty]"


def _line(entry: Listed) -> str:
    match entry.kind:
        case "folder":
            return f"{entry.path}/"
        case "file":
            return f"{entry.path}  {entry.size}"
        case "link":
            return f"{entry.path}  (link)"
        case "other":
            return f"{entry.path}  (not a file)"
        case _:
            assert_never(entry.kind)
