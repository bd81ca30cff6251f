"""The tools `read_file`, `write_file` and `list_files`: the workspace as a model sees it."""

import posixpath
from collections.abc import Sequence
from typing import Annotated, assert_never

from msgspec import Meta

from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Listed, Tool, ToolContext, Workspace
from angelia.tools.define import Arguments, near_name, tool

DEFAULT_LINES = 2000
MAX_LISTED = 1000
SNIFFED = 8192

WorkspacePath = Annotated[str, Meta(min_length=1, description="Path, relative to the workspace.")]


class ReadFile(Arguments, frozen=True):
    path: WorkspacePath
    offset: Annotated[int, Meta(ge=1, description="First line to read, counted from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, description="How many lines to read.")] = DEFAULT_LINES


class WriteFile(Arguments, frozen=True):
    path: WorkspacePath
    content: Annotated[str, Meta(description="The whole content of the file.")]


class ListFiles(Arguments, frozen=True):
    path: WorkspacePath = "."
    depth: Annotated[int, Meta(ge=1, le=5, description="How many levels of folders to show.")] = 1


def normalised(path: str) -> str:
    """One spelling per file, so that calls that touch the same one share a lane."""
    return posixpath.normpath(path)


def read_file(workspace: Workspace) -> Tool:
    @tool(
        ReadFile,
        name="read_file",
        effect="pure",
        emoji="📖",
        label=lambda arguments: arguments.path,
        lane=lambda arguments: normalised(arguments.path),
        touched=lambda arguments: Touched(paths=(normalised(arguments.path),)),
        toolset="files",
    )
    async def run(arguments: ReadFile, context: ToolContext) -> str:
        """Read a text file of the workspace, or a range of its lines."""
        data = await _read(workspace, arguments.path)
        if b"\0" in data[:SNIFFED]:
            return f"[{arguments.path} is a binary file of {len(data):,} bytes]"
        return excerpt(data, arguments.offset, arguments.limit)

    return run


def write_file(workspace: Workspace) -> Tool:
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
        """Write a whole file in the workspace; folders on the way are made."""
        data = arguments.content.encode()
        existed = await _exists(workspace, arguments.path)
        await workspace.write(arguments.path, data)
        news = "replaced" if existed else "new file"
        return f"Wrote {len(data)} bytes to {arguments.path} ({news})"

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
        return listing(await workspace.list(arguments.path, arguments.depth))

    return run


def excerpt(data: bytes, offset: int, limit: int) -> str:
    """The lines asked for, and a note on how to read on if there are more."""
    if not data:
        return "[the file is empty]"
    lines = data.split(b"\n")
    count = len(lines) - (lines[-1] == b"")
    if offset > count:
        raise ToolError(f"'offset' is {offset}, but the file ends at line {count}.")
    last = offset - 1 + limit
    if last >= count:
        return b"\n".join(lines[offset - 1 :]).decode(errors="replace")
    shown = b"\n".join(lines[offset - 1 : last]).decode(errors="replace")
    return f"{shown}\n[lines {offset} to {last} of {count}; read on with offset={last + 1}]"


def listing(entries: Sequence[Listed]) -> str:
    lines = [_line(entry) for entry in entries[:MAX_LISTED]]
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


async def _read(workspace: Workspace, path: str) -> bytes:
    try:
        return await workspace.read(path)
    except ToolError as error:
        near = await _near(workspace, path)
        raise ToolError(f"{error} Did you mean {near!r}?" if near else str(error)) from error


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


async def _exists(workspace: Workspace, path: str) -> bool:
    """A listing of depth 0 is the entry itself."""
    try:
        return bool(await workspace.list(path, 0))
    except ToolError:
        return False
