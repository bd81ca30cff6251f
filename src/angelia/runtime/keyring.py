"""API keys: made, recognised, changed, revoked, and never kept in the clear."""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from angelia.errors import Conflict, Forbidden, NotFound
from angelia.ports import ApiKey, Clock, KeyRules, KeyStore, Scope
from angelia.runtime.ids import fresh

ALL_SCOPES: tuple[Scope, ...] = ("chat", "runs", "admin", "read")
FIRST = "key_first"
PREFIX = "ang-"


def new_secret() -> str:
    return f"{PREFIX}{secrets.token_urlsafe(24)}"


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def hint(secret: str) -> str:
    """Enough to tell keys apart. A secret that a person chose may be short, so less of it."""
    return secret[: 8 if secret.startswith(PREFIX) else 4]


class Keyring:
    """What changes here holds for the next request; runs under way go on."""

    def __init__(self, store: KeyStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        # Two admins that shut each other out at once must not both succeed.
        self._changing = asyncio.Lock()

    async def keep_first(self, secret: str) -> ApiKey:
        """The key of the home folder: one tenant for good, even when the secret changes.

        A new secret brings it back with all scopes, the old one stays revoked if it was.
        """
        known = next((key for key in await self._store.list() if key.id == FIRST), None)
        if known is not None and hmac.compare_digest(known.digest, digest(secret)):
            return known
        key = ApiKey(
            FIRST,
            known.name if known else "first",
            digest(secret),
            ALL_SCOPES,
            self._clock.now(),
            hint(secret),
            known.rules if known else KeyRules(),
        )
        await self._store.add(key)
        return key

    async def issue(
        self,
        name: str,
        scopes: tuple[Scope, ...],
        rules: KeyRules | None = None,
        expires_at: float | None = None,
    ) -> tuple[ApiKey, str]:
        """A new key and its secret, which is nowhere to be had again."""
        secret = new_secret()
        now = self._clock.now()
        key = ApiKey(
            fresh("key", now),
            name,
            digest(secret),
            scopes,
            now,
            hint(secret),
            rules or KeyRules(),
            expires_at,
        )
        await self._store.add(key)
        return key, secret

    async def identify(self, secret: str) -> ApiKey | None:
        wanted = digest(secret)
        key = await self._store.find(wanted)
        if key is None or not self._is_usable(key):
            return None
        return key if hmac.compare_digest(key.digest, wanted) else None

    async def list(self) -> Sequence[ApiKey]:
        """All of them, also those that are expired or revoked."""
        return await self._store.list()

    async def get(self, key_id: str) -> ApiKey:
        found = next((key for key in await self._store.list() if key.id == key_id), None)
        if found is None:
            raise NotFound(f"There is no key {key_id!r}.", param="key_id", code="key_not_found")
        return found

    async def active(self, key_id: str) -> ApiKey | None:
        """For who has shown the secret before: the key as it is now, unless it is over."""
        found = next((key for key in await self._store.list() if key.id == key_id), None)
        return found if found is not None and self._is_usable(found) else None

    async def usable(self, key_id: str) -> ApiKey:
        """For work that nobody is there to ask for. Raises Forbidden if the key may not ask."""
        found = next((key for key in await self._store.list() if key.id == key_id), None)
        if found is None or not self._is_usable(found):
            state = "gone" if found is None else "revoked" if found.revoked_at else "expired"
            named = key_id if found is None else found.name
            raise Forbidden(f"The key {named!r} is {state}.")
        if not {"chat", "runs"} & set(found.scopes):
            raise Forbidden(f"The key {found.name!r} may start no runs.")
        return found

    async def change(
        self, key_id: str, change: Callable[[ApiKey], ApiKey], *, by: ApiKey
    ) -> ApiKey:
        """`change` sees the key as it is when its turn comes."""
        async with self._changing:
            key = await self.get(key_id)
            if key.revoked_at is not None:
                raise Conflict(f"The key {key_id!r} is revoked.", code="key_revoked")
            changed = change(key)
            if "admin" in key.scopes and "admin" not in changed.scopes:
                await self._spare(key, by, "cannot give up its own admin scope")
            await self._store.add(changed)
            return changed

    async def revoke(self, key_id: str, *, by: ApiKey) -> ApiKey:
        """The key as it is from here on; revoking it again changes nothing."""
        async with self._changing:
            key = await self.get(key_id)
            if key.revoked_at is not None:
                return key
            await self._spare(key, by, "cannot revoke itself")
            now = self._clock.now()
            await self._store.revoke(key_id, now)
            return replace(key, revoked_at=now)

    async def _spare(self, key: ApiKey, by: ApiKey, what: str) -> None:
        """Raises Conflict where somebody would shut the door behind themselves."""
        if key.id == by.id:
            raise Conflict(
                f"A key {what}; ask with another key that has the admin scope.", code="own_key"
            )
        others = [k for k in await self._store.list() if k.id != key.id and "admin" in k.scopes]
        if "admin" in key.scopes and not any(self._is_usable(other) for other in others):
            raise Conflict(
                "This is the last key with the admin scope; make another one first.",
                code="last_admin_key",
            )

    def _is_usable(self, key: ApiKey) -> bool:
        is_over = key.expires_at is not None and key.expires_at <= self._clock.now()
        return key.revoked_at is None and not is_over
