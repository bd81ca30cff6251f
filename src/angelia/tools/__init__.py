"""What a model may do; here, the tools that installed packages bring."""

import logging
from importlib.metadata import EntryPoint, entry_points

from angelia.core.messages import ToolSpec
from angelia.ports import Tool

GROUP = "angelia.tools"

_log = logging.getLogger(__name__)


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
