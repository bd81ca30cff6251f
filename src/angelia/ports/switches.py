"""What people have switched off while the server runs."""

from typing import Literal, Protocol

# Tools by their names, MCP servers by theirs.
Switched = Literal["tool", "mcp"]


class SwitchStore(Protocol):
    async def off(self, kind: Switched) -> frozenset[str]:
        """The names of all that is off. What nobody has switched is on."""
        ...

    async def switch(self, kind: Switched, name: str, *, on: bool) -> None: ...
