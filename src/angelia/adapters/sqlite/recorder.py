"""Changes as statements: what the writer thread does inside a transaction.

Rows wait in memory until the group is whole, so that all of a run's events of one kind become one
row, and all rows go to SQLite in few calls.
"""

import sqlite3
from sqlite3 import Connection

from angelia.adapters.sqlite.bulk import SIZE, Bulk
from angelia.core.state import Status
from angelia.ports import Claim, RunRecord

HEADS_KEPT = 10_000

# The record of a run knows the seq of its last fact; deltas behind it stand in the log alone.
LAST_SEQ = "coalesce((select max(last_seq) from events where run = runs.key), last_seq)"
_FIND = f"select key, epoch, {LAST_SEQ}, ended from runs where id = ?"  # noqa: S608
_INSERT_RUN = (
    "insert into runs (id, tenant, model, session_id, surface, status, epoch, last_seq, "
    "created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)"
)
_INSERT_EVENTS = Bulk(
    "insert into events (run, last_seq, first_seq, fact, at, body) values", width=6
)
# Key, epoch, seq and time; SQLite calls the columns of a list of values column1 and so on.
_ADVANCE = Bulk(
    "update runs set last_seq = new.column3, updated_at = new.column4 from (values",
    width=4,
    after=") as new where key = new.column1 and epoch = new.column2 and ended = 0",
)
_CLAIM = "insert into claims (tenant, key, fingerprint, run_id, expires_at) values (?, ?, ?, ?, ?)"


class Head:
    """Where a run's sequence stands, the rows that wait included."""

    __slots__ = ("ended", "epoch", "key", "row", "seq")

    def __init__(self, key: int, epoch: int, seq: int, ended: int) -> None:
        self.key = key
        self.epoch = epoch
        self.seq = seq
        self.ended = bool(ended)
        self.row: _Row | None = None


class _Row:
    __slots__ = ("bodies", "fact", "first", "key", "last")

    def __init__(self, key: int, first: int, fact: bool) -> None:
        self.key = key
        self.first = first
        self.last = first - 1
        self.fact = fact
        self.bodies: list[bytes] = []


class Recorder:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._at = 0.0
        self._heads: dict[str, Head] = {}
        self._rows: list[_Row] = []
        self._written: list[Head] = []
        self._advanced: dict[Head, None] = {}
        self._marks: list[tuple[Status | None, bool, int]] = []

    @property
    def connection(self) -> Connection:
        """Inside a transaction."""
        self._begin()
        return self._connection

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("begin immediate")

    def open(self, at: float) -> None:
        if len(self._heads) > HEADS_KEPT:
            self._heads.clear()
        self._at = at

    def commit(self) -> None:
        # One statement is a transaction by itself. A group of deltas is no more than that.
        if len(self._rows) > SIZE or self._advanced or self._marks:
            self._begin()
        self.flush()
        if self._connection.in_transaction:
            self._connection.execute("commit")

    def abandon(self) -> None:
        """Nothing since `open` has happened; every sequence is read anew."""
        self._heads.clear()
        self._rows.clear()
        self._written.clear()
        self._advanced.clear()
        self._marks.clear()
        if self._connection.in_transaction:
            self._connection.rollback()

    def head(self, run_id: str) -> Head | None:
        head = self._heads.get(run_id)
        if head is None:
            found = self._connection.execute(_FIND, (run_id,)).fetchone()
            if found is not None:
                head = self._heads[run_id] = Head(*found)
        return head

    def write(self, head: Head, fact: bool, count: int, body: bytes) -> None:
        row = head.row
        if row is None or row.fact is not fact:
            if row is None:
                self._written.append(head)
            if fact:
                self._advanced[head] = None
            row = head.row = _Row(head.key, head.seq + 1, fact)
            self._rows.append(row)
        row.bodies.append(body)
        head.seq = row.last = head.seq + count

    def mark(self, head: Head, status: Status | None, *, ended: bool) -> None:
        head.ended = ended
        if status is not None or ended:
            self._marks.append((status, ended, head.key))

    def flush(self) -> None:
        """Events, then the records they change."""
        if self._rows:
            self._insert()
        if self._advanced:
            self._advance()
        for status, ended, key in self._marks:
            self._mark(status, ended, key)
        self._marks.clear()

    def _insert(self) -> None:
        at = self._at
        rows = [(r.key, r.last, r.first, r.fact, at, b"".join(r.bodies)) for r in self._rows]
        _INSERT_EVENTS.execute(self._connection, rows)
        self._rows.clear()
        for head in self._written:
            head.row = None
        self._written.clear()

    def _advance(self) -> None:
        at, heads = self._at, self._advanced
        rows = [(head.key, head.epoch, head.seq, at) for head in heads]
        if _ADVANCE.execute(self._connection, rows) != len(heads):
            raise sqlite3.IntegrityError("somebody else has changed a run")
        heads.clear()

    def _mark(self, status: Status | None, ended: bool, key: int) -> None:
        if status is not None:
            self.connection.execute("update runs set status = ? where key = ?", (status, key))
        if ended:
            self.connection.execute("update runs set ended = 1 where key = ?", (key,))

    def holder(self, tenant: str, claim_key: str) -> tuple[str, str] | None:
        """The run and the fingerprint that hold a claim which is not over."""
        self.connection.execute("delete from claims where expires_at <= ?", (self._at,))
        return self.connection.execute(
            "select run_id, fingerprint from claims where tenant = ? and key = ?",
            (tenant, claim_key),
        ).fetchone()

    def begin(self, run: RunRecord, claim: Claim | None) -> Head:
        key = self.connection.execute(
            _INSERT_RUN,
            (
                run.id,
                run.tenant,
                run.model,
                run.session_id,
                run.surface,
                run.status,
                run.epoch,
                run.created_at,
                run.updated_at,
            ),
        ).lastrowid
        if claim is not None:
            self.connection.execute(
                _CLAIM, (run.tenant, claim.key, claim.fingerprint, run.id, claim.expires_at)
            )
        head = self._heads[run.id] = Head(key or 0, run.epoch, 0, 0)
        return head

    def take(self, head: Head) -> int:
        head.epoch += 1
        self.connection.execute("update runs set epoch = ? where key = ?", (head.epoch, head.key))
        return head.epoch

    def delete(self, run_id: str) -> None:
        self._begin()
        self.flush()
        head = self.head(run_id)
        if head is not None:
            del self._heads[run_id]
            self.connection.execute("delete from events where run = ?", (head.key,))
            self.connection.execute("delete from runs where key = ?", (head.key,))
            self.connection.execute("delete from claims where run_id = ?", (run_id,))
