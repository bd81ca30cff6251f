"""API keys, kept in a dictionary."""

from collections.abc import Sequence

from msgspec.structs import replace

from angelia.adapters.refusals import key_exists
from angelia.ports import ApiKey


class MemoryKeys:
    def __init__(self) -> None:
        self._keys: dict[str, ApiKey] = {}

    async def add(self, key: ApiKey) -> None:
        if any(kept.digest == key.digest and kept.id != key.id for kept in self._keys.values()):
            raise key_exists(key.name)
        self._keys[key.id] = key

    async def find(self, digest: str) -> ApiKey | None:
        """A revoked key is not found."""
        usable = (key for key in self._keys.values() if key.revoked_at is None)
        return next((key for key in usable if key.digest == digest), None)

    async def list(self) -> Sequence[ApiKey]:
        return tuple(self._keys.values())

    async def revoke(self, key_id: str, at: float) -> bool:
        key = self._keys.get(key_id)
        if key is None or key.revoked_at is not None:
            return False
        self._keys[key_id] = replace(key, revoked_at=at)
        return True
