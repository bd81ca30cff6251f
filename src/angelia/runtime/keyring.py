"""API keys: made, recognised, and never kept in the clear."""

import hashlib
import hmac
import secrets

from angelia.ports import ApiKey, Clock, KeyStore, Scope
from angelia.runtime.ids import fresh

ALL_SCOPES: tuple[Scope, ...] = ("chat", "runs", "admin", "read")
FIRST = "key_first"


def new_secret() -> str:
    return f"ang-{secrets.token_urlsafe(24)}"


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class Keyring:
    def __init__(self, store: KeyStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def keep_first(self, secret: str) -> ApiKey:
        """The key of the home folder: one tenant for good, even when the secret changes."""
        known = await self._store.find(digest(secret))
        if known is not None and known.id == FIRST and known.revoked_at is None:
            return known
        key = ApiKey(FIRST, "first", digest(secret), ALL_SCOPES, self._clock.now())
        await self._store.add(key)
        return key

    async def issue(self, name: str, scopes: tuple[Scope, ...]) -> tuple[ApiKey, str]:
        """A new key and its secret, which is nowhere to be had again."""
        secret = new_secret()
        now = self._clock.now()
        key = ApiKey(fresh("key", now), name, digest(secret), scopes, now)
        await self._store.add(key)
        return key, secret

    async def identify(self, secret: str) -> ApiKey | None:
        wanted = digest(secret)
        key = await self._store.find(wanted)
        if key is None or key.revoked_at is not None:
            return None
        return key if hmac.compare_digest(key.digest, wanted) else None
