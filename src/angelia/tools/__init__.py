"""What a model may do; here, the tools for files, and those that installed packages bring."""

import logging
from importlib.metadata import EntryPoint, entry_points

from angelia.core.messages import ToolSpec
from angelia.ports import ChangeJournal, FileSearch, Tool, Workspace
from angelia.tools.files import list_files, read_file, write_file
from angelia.tools.patch import patch
from angelia.tools.search import search_files

GROUP = "angelia.tools"

_log = logging.getLogger(__name__)


def files(workspace: Workspace, journal: ChangeJournal, search: FileSearch) -> tuple[Tool, ...]:
    """What they change can be undone by way of the journal."""
    return (
        read_file(workspace),
        write_file(workspace, journal),
        patch(workspace, journal),
        search_files(workspace, search),
        list_files(workspace),
    )


def installed() -> tuple[Tool, ...]:
    """Tools of entry points in the group `angelia.tools`; broken ones are logged and left out."""
    loaded = (_load(entry) for entry in entry_points(group=GROUP))
    return tuple(tool for tool in loaded if tool is not None)


def _load(entry: EntryPoint) -> Tool | None:
    try:
        tool: Tool = entry.load()
        if not _is_spec(tool.spec):
            raise TypeError("its spec is not a ToolSpec")
    except Exception as error:  # noqa: BLE001 -- the code of a plugin may fail in any way
        _log.warning("Tool %r (%s) is left out: %r", entry.name, entry.value, error)
        return None
    return tool


def _is_spec(value: object) -> bool:
    return isinstance(value, ToolSpec)
