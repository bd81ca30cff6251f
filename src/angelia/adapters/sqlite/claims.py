"""Idempotency keys in SQLite: who holds one, and from where on."""

from sqlite3 import Connection
from typing import NamedTuple

from angelia.adapters.refusals import claimed_otherwise
from angelia.ports import Claim, Held

_FIND = (
    "select run_id, after, fingerprint, live_only, expires_at, "
    "coalesce((select ended from runs where id = run_id), 1) from claims "
    "where tenant = ? and key = ?"
)
_HOLD = (
    "insert or replace into claims (tenant, key, fingerprint, run_id, expires_at, after, "
    "live_only) values (?, ?, ?, ?, ?, ?, ?)"
)


class Lease(NamedTuple):
    """A claim as it is kept. `ended` is whether its run is over, as far as the file knows."""

    run_id: str
    after: int
    fingerprint: str
    live_only: int
    expires_at: float
    ended: int

    @property
    def over(self) -> bool:
        return bool(self.live_only and self.ended)

    def held(self, claim: Claim) -> Held:
        """Raises Conflict when it is for another request."""
        if self.fingerprint != claim.fingerprint:
            raise claimed_otherwise()
        return Held(self.run_id, self.after, replayed=True)


def find(connection: Connection, tenant: str, key: str, now: float) -> Lease | None:
    """None if its time is over. One that is over with its run is for the caller to tell."""
    row = connection.execute(_FIND, (tenant, key)).fetchone()
    lease = Lease(*row) if row is not None else None
    return lease if lease is not None and lease.expires_at > now else None


def hold(connection: Connection, tenant: str, claim: Claim, run_id: str, after: int) -> None:
    """Takes the place of one that is over."""
    values = (tenant, claim.key, claim.fingerprint, run_id, claim.expires_at, after)
    connection.execute(_HOLD, (*values, claim.live_only))


def drop_expired(connection: Connection, now: float) -> None:
    connection.execute("delete from claims where expires_at <= ?", (now,))
