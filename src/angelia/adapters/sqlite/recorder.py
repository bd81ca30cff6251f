"""Changes as statements: what the writer thread does inside a transaction.

Rows wait in memory until the group is whole, so that a run's events of one kind become few rows,
and all rows go to SQLite in few calls. What depends on a run's record (its session, the
search index) is kept true by triggers.
"""

import sqlite3
from collections.abc import Iterable
from sqlite3 import Connection

from angelia.adapters.refusals import session_busy
from angelia.adapters.sqlite import claims, records
from angelia.adapters.sqlite.bulk import Bulk
from angelia.adapters.sqlite.claims import Lease
from angelia.adapters.sqlite.ledger import Ledger
from angelia.adapters.sqlite.records import LAST_SEQ, Told
from angelia.adapters.sqlite.rows import StoredRow, packed
from angelia.core.state import Status
from angelia.ports import Bill, Claim, RunRecord

HEADS_KEPT = 10_000
# A row is read as a whole, however little of it a reader wants at once.
ROW_BYTES = 16 * 1024

_FIND = (
    f"select key, epoch, {LAST_SEQ}, ended, status, tenant, model, "  # noqa: S608
    "stored = 1 and session_id <> '' from runs where id = ?"
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
# The same, then status, end, output, usage, cost, error and parent. Without an output there is no
# summary.
_CONCLUDE = Bulk(
    "update runs set last_seq = new.column3, updated_at = new.column4, status = new.column5, "
    "ended = new.column6, output = coalesce(new.column7, output), "
    "usage = coalesce(new.column8, usage), cost = coalesce(new.column9, cost), "
    "error = case when new.column7 is null then error else new.column10 end, "
    "told = case when new.column7 is null then told else stored = 1 and session_id <> '' end, "
    "parent = coalesce(new.column11, parent) from (values",
    width=11,
    after=") as new where key = new.column1 and epoch = new.column2 and ended = 0",
)
_CHAIN = Bulk("insert or ignore into chains (tenant, chain, run) values", width=3)
# Runs without a session have nothing in common.
_RUNS_OF_SESSION = (
    "select id, ended from runs where tenant = ? and session_id = ? and session_id <> ''"
)
_DELETE_RUNS = "delete from runs where tenant = ? and session_id = ? and session_id <> ''"
_DELETE_SESSION = "delete from sessions where tenant = ? and id = ?"
_NOTHING_TOLD = (None, None, None, None)


class Head:
    """Where a run stands, the rows that wait included. `shown` is whether others may find it."""

    __slots__ = (
        "ended",
        "epoch",
        "key",
        "marked",
        "model",
        "parent",
        "row",
        "seq",
        "shown",
        "status",
        "tenant",
        "told",
    )

    def __init__(
        self,
        key: int,
        epoch: int,
        seq: int,
        ended: int,
        status: Status,
        tenant: str,
        model: str,
        shown: int,
    ) -> None:
        self.key = key
        self.epoch = epoch
        self.seq = seq
        self.ended = bool(ended)
        self.status: Status = status
        self.tenant = tenant
        self.model = model
        self.shown = bool(shown)
        self.row: _Row | None = None
        self.marked = False
        self.told: Told | None = None
        self.parent: str | None = None


class _Row:
    __slots__ = ("at", "bodies", "fact", "first", "key", "last", "size")

    def __init__(self, key: int, first: int, fact: bool, at: float) -> None:
        self.key = key
        self.first = first
        self.last = first - 1
        self.fact = fact
        self.at = at
        self.size = 0
        self.bodies: list[bytes] = []

    def add(self, last: int, body: bytes) -> None:
        self.last = last
        self.bodies.append(body)
        self.size += len(body)


class Recorder:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._at = 0.0
        self._heads: dict[str, Head] = {}
        self._rows: list[_Row] = []
        self._written: list[Head] = []
        self._advanced: dict[Head, None] = {}
        self._chains: list[tuple[str, str, int]] = []
        self._ledger = Ledger()

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
        if len(self._rows) not in _INSERT_EVENTS.whole or self._advanced:
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
        self._chains.clear()
        self._ledger.clear()
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
        if row is None or row.fact is not fact or row.size >= ROW_BYTES:
            if row is None:
                self._written.append(head)
            if fact:
                self._advanced[head] = None
            row = head.row = _Row(head.key, head.seq + 1, fact, self._at)
            self._rows.append(row)
        head.seq += count
        row.add(head.seq, body)

    def bring_in(self, head: Head, rows: Iterable[StoredRow]) -> None:
        """Rows out of the spool, one behind the other; what is here already makes no difference."""
        new = [row for row in rows if row[1] > head.seq]
        if new and new[0][0] != head.seq + 1:
            raise sqlite3.IntegrityError("somebody else has changed a run")
        for first, last, at, body in packed(new, ROW_BYTES):
            row = _Row(head.key, first, False, at)
            row.add(last, body)
            self._rows.append(row)
            head.seq = last
            head.row = None

    # ── marks ───────────────────────────────────────────────────────────────────────────────

    def mark(self, head: Head, status: Status) -> None:
        self._advanced[head] = None
        if status != head.status:
            head.status = status
            head.marked = True

    def adopt(self, head: Head, parent: str) -> None:
        self._advanced[head] = None
        head.parent = parent
        head.marked = True

    def close(self, head: Head) -> None:
        """Nothing follows. Behind the last mark."""
        self._advanced[head] = None
        head.ended = head.marked = True

    def count(self, head: Head, worked: float | None) -> None:
        """As a run that has ended."""
        failed = head.status == "failed"
        self._ledger.ended(head.tenant, head.model, failed=failed, worked=worked)

    def tell(self, head: Head, told: Told, chains: tuple[str, ...]) -> None:
        self._advanced[head] = None
        head.told = told
        head.marked = True
        if head.shown:
            self._chains += [(head.tenant, chain, head.key) for chain in chains]

    def bill(self, head: Head, bill: Bill) -> None:
        self._advanced[head] = None
        self._ledger.bill(head.tenant, bill)

    # ── the rows that wait ──────────────────────────────────────────────────────────────────

    def flush(self) -> None:
        """Events, then the records they change."""
        if self._rows:
            self._insert()
        if self._advanced:
            self._advance()
        if self._chains:
            _CHAIN.execute(self._connection, self._chains)
            self._chains.clear()
        if self._ledger:
            self._ledger.write(self._connection, self._at)

    def _insert(self) -> None:
        rows = [(r.key, r.last, r.first, r.fact, r.at, b"".join(r.bodies)) for r in self._rows]
        _INSERT_EVENTS.execute(self._connection, rows)
        self._rows.clear()
        for head in self._written:
            head.row = None
        self._written.clear()

    def _advance(self) -> None:
        at, heads = self._at, self._advanced
        advanced = [(h.key, h.epoch, h.seq, at) for h in heads if not h.marked]
        concluded = [
            (h.key, h.epoch, h.seq, at, h.status, h.ended, *(h.told or _NOTHING_TOLD), h.parent)
            for h in heads
            if h.marked
        ]
        touched = _ADVANCE.execute(self._connection, advanced)
        touched += _CONCLUDE.execute(self._connection, concluded)
        if touched != len(heads):
            raise sqlite3.IntegrityError("somebody else has changed a run")
        for head in heads:
            head.marked = False
            head.told = head.parent = None
        heads.clear()

    # ── what does not wait ──────────────────────────────────────────────────────────────────

    def lease(self, tenant: str, key: str) -> Lease | None:
        """What holds a claim, unless it is over."""
        claims.drop_expired(self.connection, self._at)
        lease = claims.find(self.connection, tenant, key, self._at)
        if lease is not None and lease.live_only:
            head = self.head(lease.run_id)
            return None if head is None or head.ended else lease
        return lease

    def hold(self, tenant: str, claim: Claim, run_id: str, after: int) -> None:
        claims.hold(self.connection, tenant, claim, run_id, after)

    def begin(self, run: RunRecord) -> Head:
        key = records.insert(self.connection, run, self._at)
        shown = run.stored and run.session_id != ""
        head = Head(key, run.epoch, 0, 0, run.status, run.tenant, run.model, shown)
        self._heads[run.id] = head
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
            self.connection.execute("delete from runs where key = ?", (head.key,))

    def delete_session(self, tenant: str, session_id: str) -> tuple[str, ...]:
        """The ids of the runs that went with it. Raises Conflict."""
        connection = self.connection
        self.flush()
        mine = (tenant, session_id)
        runs = connection.execute(_RUNS_OF_SESSION, mine).fetchall()
        if not all(ended for _id, ended in runs):
            raise session_busy(session_id)
        # The session first: nobody need keep it true while its runs go.
        connection.execute(_DELETE_SESSION, mine)
        connection.execute(_DELETE_RUNS, mine)
        for run_id, _ended in runs:
            self._heads.pop(run_id, None)
        return tuple(run_id for run_id, _ended in runs)
