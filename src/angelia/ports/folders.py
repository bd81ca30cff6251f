"""Where the commands of a session go on."""

from typing import Protocol


class Folders(Protocol):
    """Folders are relative to the workspace, which itself is `.`."""

    async def get(self, tenant: str, session_id: str) -> str:
        """The workspace itself where nothing else was put."""
        ...

    async def put(self, tenant: str, session_id: str, folder: str) -> None:
        """Durable once this returns, and kept as long as the session is."""
        ...
