"""Where commands cannot be kept apart from this machine and may not run without that."""

from angelia.errors import ToolError
from angelia.ports import Command, Process

WAYS_OUT = (
    "Install bubblewrap (apt-get install bubblewrap) on a system that allows user namespaces, "
    'or set `sandbox = "none"` under [tools] in angelia.toml to run commands without a sandbox.'
)


class NoSandbox:
    """Refuses every command, with the reason and the ways out."""

    level = "unavailable"

    def __init__(self, reason: str) -> None:
        self.reason = reason

    async def start(self, command: Command) -> Process:
        raise ToolError(f"No command can run: {self.reason}.\n{WAYS_OUT}")

    async def leave(self, session: str) -> None:
        """Nothing was kept."""

    async def close(self) -> None:
        """Nothing runs."""
