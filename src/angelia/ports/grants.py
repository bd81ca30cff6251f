"""What people have agreed to for longer than one call."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class Grant(Struct, frozen=True):
    """`what` needs no asking in later runs of the user; with a `session_id` only in that session.

    It was given in the run `run_id`.
    """

    id: str
    tenant: str
    what: str
    created_at: float
    run_id: str
    user: str | None = None
    session_id: str | None = None


class GrantStore(Protocol):
    async def put(self, grants: Sequence[Grant]) -> None:
        """All or none; what is granted already stays as it is. Durable once this returns."""
        ...

    async def find(self, tenant: str) -> Sequence[Grant]:
        """The newest first."""
        ...

    async def held(self, tenant: str, user: str | None, session_id: str) -> Sequence[str]:
        """What needs no asking for this user in this session, in the order of its words."""
        ...

    async def delete(self, tenant: str, grant_id: str) -> bool:
        """Whether there was one."""
        ...
