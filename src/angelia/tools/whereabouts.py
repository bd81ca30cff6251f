"""Where a command starts: where its session's commands have gone, or where it is told to."""

import posixpath

from msgspec import Struct

from angelia.errors import ToolError
from angelia.ports import Caller, Folders, Workspace

ROOT = "."


class Start(Struct, frozen=True):
    """A folder of the workspace; `note` is what the model should know of how it was found."""

    folder: str
    note: str = ""


class Whereabouts:
    """Commands of a run without a session start in the workspace itself."""

    def __init__(self, folders: Folders, workspace: Workspace) -> None:
        self._folders = folders
        self._workspace = workspace

    async def start(self, caller: Caller, wanted: str | None) -> Start:
        """Raises ToolError if `wanted` is no folder of the workspace."""
        if wanted is not None:
            return Start(await self._folder(wanted))
        kept = await self._kept(caller)
        if kept == ROOT:
            return Start(ROOT)
        try:
            return Start(await self._folder(kept))
        except ToolError:
            await self._folders.put(caller.tenant, caller.session_id, ROOT)
            return Start(ROOT, f"[the folder {kept!r} is gone; this ran in the workspace itself]")

    async def end(self, caller: Caller, start: str, end: str | None) -> str:
        """A note on where the session's next command starts, unless that is the workspace itself.

        Only a command that went somewhere moves its session: others that run beside it, or that
        were told where to start, leave it where it is.
        """
        folder = None if end is None else _spelled(end)
        if caller.session_id and folder is not None and folder != posixpath.normpath(start):
            await self._folders.put(caller.tenant, caller.session_id, folder)
        kept = await self._kept(caller)
        return "" if kept == ROOT else f"[folder: {kept if kept.isprintable() else repr(kept)}]"

    async def _kept(self, caller: Caller) -> str:
        if not caller.session_id:
            return ROOT
        return await self._folders.get(caller.tenant, caller.session_id)

    async def _folder(self, path: str) -> str:
        # A listing of depth 0 is the entry itself.
        (entry,) = await self._workspace.list(path, 0)
        if entry.kind != "folder":
            raise ToolError(f"{path!r} is not a folder of the workspace.")
        return entry.path


def _spelled(folder: str) -> str | None:
    """One spelling per folder; None for a name that is not Unicode, which no one can be told."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        return None
    return posixpath.normpath(folder)
