"""Who may ask, and for how much."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct, field

from angelia.core.policy import Policy

Scope = Literal["chat", "runs", "admin", "read"]


class KeyRules(Struct, frozen=True, omit_defaults=True):
    """What holds for one key. None is whatever holds for everybody.

    `models` and `tools` are all that it may use. `policy` is added to the agent's. Requests are
    counted per minute, runs under way at once, and money per day and month in UTC.
    """

    tool_events: str | None = None
    tool_items: str | None = None
    on_disconnect: Literal["cancel", "continue"] | None = None
    models: tuple[str, ...] | None = None
    tools: tuple[str, ...] | None = None
    policy: Policy = field(default_factory=Policy)
    requests_per_minute: int | None = None
    concurrent_runs: int | None = None
    daily_budget: float | None = None
    monthly_budget: float | None = None


class ApiKey(Struct, frozen=True):
    """A key as it is kept: never the key itself, only its digest. `hint` is its beginning."""

    id: str
    name: str
    digest: str
    scopes: tuple[Scope, ...]
    created_at: float
    hint: str = ""
    rules: KeyRules = field(default_factory=KeyRules)
    expires_at: float | None = None
    revoked_at: float | None = None


class KeyStore(Protocol):
    async def add(self, key: ApiKey) -> None:
        """Takes the place of a key of the same id. Raises Conflict if another has its digest."""
        ...

    async def find(self, digest: str) -> ApiKey | None: ...

    async def list(self) -> Sequence[ApiKey]: ...

    async def revoke(self, key_id: str, at: float) -> bool: ...
