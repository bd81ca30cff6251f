"""What tools of MCP servers are called here: names that every provider takes, always the same."""

import re
from collections.abc import Iterable
from hashlib import sha256

LONGEST = 64
LONGEST_SERVER = 32
_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")
_UNDERSCORES = re.compile(r"__+")
_DIGITS = 6


def toolset_of(server: str) -> str:
    """The name of all tools of a server together.

    It holds no two underscores in a row behind its beginning, so that no server's tools are taken
    for those of another.
    """
    fit = _UNDERSCORES.sub("_", _UNFIT.sub("_", server)).strip("_")
    return f"mcp__{fit[:LONGEST_SERVER].rstrip('_') or 'server'}"


def tool_names(toolset: str, tools: Iterable[str]) -> dict[str, str]:
    """A name for each of a server's tools. It depends on all of their names, not on their order."""
    given = tuple(dict.fromkeys(tools))
    plain = {tool: _UNFIT.sub("_", tool) for tool in given}
    taken: dict[str, int] = {}
    for fit in plain.values():
        taken[fit] = taken.get(fit, 0) + 1
    room = LONGEST - len(toolset) - 2
    return {
        tool: f"{toolset}__{_named(tool, fit, room, alone=taken[fit] == 1)}"
        for tool, fit in plain.items()
    }


def _named(tool: str, fit: str, room: int, *, alone: bool) -> str:
    """A tool that fits as it is keeps its name, even if others become like it."""
    if fit and len(fit) <= room and (alone or fit == tool):
        return fit
    mark = sha256(tool.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]
    return f"{fit[: room - _DIGITS - 1]}-{mark}"
