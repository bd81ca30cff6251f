"""What a model may do: the built-in tools, and those that installed packages bring."""

import logging
from importlib.metadata import EntryPoint, entry_points

from angelia.core.messages import ToolSpec
from angelia.ports import Folders, Sandbox, Tool, Workspace
from angelia.tools.background import Background
from angelia.tools.files import list_files, read_file, write_file
from angelia.tools.process import process
from angelia.tools.terminal import DEFAULT_TIMEOUT, terminal
from angelia.tools.whereabouts import Whereabouts

GROUP = "angelia.tools"

_log = logging.getLogger(__name__)


def builtin(
    sandbox: Sandbox,
    workspace: Workspace,
    background: Background,
    folders: Folders,
    *,
    terminal_timeout: float = DEFAULT_TIMEOUT,
) -> tuple[Tool, ...]:
    return (
        terminal(sandbox, background, Whereabouts(folders, workspace), terminal_timeout),
        process(background),
        read_file(workspace),
        write_file(workspace),
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
