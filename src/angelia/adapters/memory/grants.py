"""Grants in memory."""

from collections.abc import Sequence

from angelia.ports.grants import Grant


class MemoryGrants:
    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str, str], Grant] = {}

    async def put(self, grants: Sequence[Grant]) -> None:
        for grant in grants:
            whose = (grant.tenant, grant.user or "", grant.session_id or "")
            self._kept.setdefault((*whose, grant.what), grant)

    async def find(self, tenant: str) -> Sequence[Grant]:
        found = [grant for grant in self._kept.values() if grant.tenant == tenant]
        return sorted(found, key=lambda grant: grant.created_at)[::-1]

    async def held(self, tenant: str, user: str | None, session_id: str) -> Sequence[str]:
        found = {
            grant.what
            for grant in self._kept.values()
            if (grant.tenant, grant.user or "") == (tenant, user or "")
            and grant.session_id in (None, session_id)
        }
        return sorted(found)

    async def delete(self, tenant: str, grant_id: str) -> bool:
        known = [
            key
            for key, grant in self._kept.items()
            if grant.tenant == tenant and grant.id == grant_id
        ]
        for key in known:
            del self._kept[key]
        return bool(known)
