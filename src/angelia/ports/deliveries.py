"""Who is still to be told of a run, and what carries the message."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct


class Delivery(Struct, frozen=True):
    """A webhook of a run. It was told of all that it wants to know up to the entry `seq`."""

    run_id: str
    tenant: str
    url: str
    events: tuple[str, ...]
    seq: int = 0


class DeliveryStore(Protocol):
    async def put(self, delivery: Delivery) -> None:
        """Takes the place of the one of the same run. Durable once this returns."""
        ...

    async def list(self) -> Sequence[Delivery]:
        """In the order they were first put."""
        ...

    async def delete(self, run_id: str) -> None: ...


class Answered(Struct, frozen=True):
    """`retry_after` is the seconds that the receiver asks to be left alone."""

    status: int
    retry_after: float | None = None


class Unreached(Struct, frozen=True):
    """Nobody answered; `reason` holds nothing of the address."""

    reason: str


class Barred(Struct, frozen=True):
    """The name leads only to addresses that must not be asked; nothing was sent."""


Posted = Answered | Unreached | Barred


class Poster(Protocol):
    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Posted:
        """One attempt. Follows no redirect and reads nothing of the answer but its head."""
        ...
