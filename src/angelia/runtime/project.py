"""What the workspace says of itself: the file AGENTS.md, told to the runs that work there."""

from angelia.core.framing import framed, visible
from angelia.core.redact import SHAPES_ONLY, Redactor
from angelia.errors import ToolError
from angelia.ports import Caller, Workspace

FILE = "AGENTS.md"
LIMIT = 32 * 1024

_ABOUT = (
    "The file AGENTS.md of the workspace, written for agents that work there. Keep to it for work "
    "in the workspace; what you were told above and what the user asks go before it."
)


class ProjectContext:
    def __init__(
        self, workspace: Workspace, redact: Redactor = SHAPES_ONLY, limit: int = LIMIT
    ) -> None:
        self._workspace = workspace
        self._redact = redact
        self._limit = limit

    async def text(self, caller: Caller) -> str:
        """Empty where there is no such file, or none that can be read."""
        try:
            data = await self._workspace.read(FILE)
        except ToolError:
            return ""
        if b"\0" in data:
            return ""
        text = visible(self._cut(data)).strip()
        return framed("project", _ABOUT, self._redact(text)) if text else ""

    def _cut(self, data: bytes) -> str:
        if len(data) <= self._limit:
            return data.decode(errors="replace")
        # The character in which it is cut is left out.
        kept = data[: self._limit].decode(errors="ignore")
        return (
            f"{kept}\n[… the first {self._limit:,} of {len(data):,} bytes; "
            f"read the rest of {FILE} with a tool …]"
        )
