"""What was served and claimed before, in SQLite."""

from collections.abc import Sequence
from sqlite3 import Connection

from msgspec import json

from angelia.adapters.sqlite import claims
from angelia.adapters.sqlite.database import Database
from angelia.ports import Claim, Held

# One look into the index for each fingerprint, all in one statement. Only runs that may be found
# have any.
_MATCH = (
    "select wanted.value, runs.id from json_each(?) as wanted join runs on runs.key = "
    "(select chains.run from chains where chains.tenant = ? and chains.chain = wanted.value "
    "order by chains.run desc limit 1) order by wanted.key limit 1"
)
# So many looks cost less than a change of threads.
FEW = 32
# A session has few runs, whereas many may have served what is said in it.
_SERVED_IN_SESSION = (
    "select chains.chain, runs.id from runs cross join chains on chains.run = runs.key "
    "where runs.tenant = ? and runs.session_id = ? "
    "and chains.chain in (select value from json_each(?)) order by runs.key desc"
)


class SqliteHistory:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def claimed(self, tenant: str, claim: Claim) -> Held | None:
        now = self._database.clock.now()
        lease = self._database.look(
            lambda connection: claims.find(connection, tenant, claim.key, now)
        )
        return None if lease is None or lease.over else lease.held(claim)

    async def match(
        self, tenant: str, chains: Sequence[str], session_id: str | None = None
    ) -> tuple[str, str] | None:
        if not chains:
            return None
        wanted = json.encode(chains).decode()
        if session_id is None:
            return await self._find_newest(tenant, wanted, few=len(chains) <= FEW)
        served = await self._database.read(
            lambda connection: _served(connection, tenant, session_id, wanted)
        )
        return next(((chain, served[chain]) for chain in chains if chain in served), None)

    async def _find_newest(self, tenant: str, wanted: str, *, few: bool) -> tuple[str, str] | None:
        def find(connection: Connection) -> tuple[str, str] | None:
            return _newest(connection, tenant, wanted)

        return self._database.look(find) if few else await self._database.read(find)


def _newest(connection: Connection, tenant: str, wanted: str) -> tuple[str, str] | None:
    # All rows: a cursor that is left open holds a snapshot.
    rows = connection.execute(_MATCH, (wanted, tenant)).fetchall()
    return rows[0] if rows else None


def _served(connection: Connection, tenant: str, session_id: str, wanted: str) -> dict[str, str]:
    """The newest run of the session for each of the fingerprints that it served."""
    rows = connection.execute(_SERVED_IN_SESSION, (tenant, session_id, wanted)).fetchall()
    return dict(reversed(rows))
