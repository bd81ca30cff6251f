"""Where runs take place: in this process, or at a server that is running already."""

from collections.abc import AsyncGenerator
from typing import Literal, Protocol

from msgspec import Struct

Choice = Literal["once", "session", "always", "deny"]


class Wish(Struct, frozen=True, omit_defaults=True):
    """A run that somebody wants. None means what the settings say."""

    input: str
    session_id: str | None = None
    model: str | None = None
    instructions: str | None = None


class Place(Protocol):
    """Runs and events are the JSON of the run API. Raises RequestError for what is wrong."""

    async def start(self, wish: Wish) -> str:
        """The id of the run."""
        ...

    async def run(self, run_id: str) -> bytes: ...

    async def runs(self, session_id: str | None, status: str | None, limit: int) -> bytes: ...

    def events(self, run_id: str, after: int) -> AsyncGenerator[bytes]:
        """Each event behind `after`, to the end of the run."""
        ...

    async def stop(self, run_id: str) -> None: ...

    async def approve(
        self, run_id: str, approval_id: str | None, choice: Choice, reason: str
    ) -> None: ...
