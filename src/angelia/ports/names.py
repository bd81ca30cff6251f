"""What names of hosts mean."""

from typing import Protocol


class Names(Protocol):
    async def find(self, host: str) -> tuple[str, ...]:
        """The addresses that a name means at this moment; none if nobody knows it."""
        ...
