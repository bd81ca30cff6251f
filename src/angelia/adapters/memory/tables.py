"""What a log in memory keeps besides events: sessions that follow their runs, and what was used."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from angelia.adapters.refusals import claimed_otherwise
from angelia.core.days import day_of
from angelia.core.events import Entry
from angelia.core.latency import Kind, bucket_of
from angelia.core.messages import Usage
from angelia.ports import Bill, Claim, Held, LatencyRow, RunRecord, Session, Summary, UsageRow


class Kept:
    """One run: its record, all its entries, and the conversations it served.

    `shown` is whether others may find it; `told` is whether its texts can be searched.
    """

    __slots__ = ("chains", "ended", "entries", "record", "told")

    def __init__(self, record: RunRecord, at: float) -> None:
        nothing = Summary("", Usage(), 0.0)
        self.record = _summed_up(replace(record, last_seq=0, updated_at=at), nothing)
        self.entries: list[Entry] = []
        self.chains: set[str] = set()
        self.ended = False
        self.told = False

    @property
    def shown(self) -> bool:
        return self.record.stored and self.record.session_id != ""

    def tell(self, summary: Summary) -> None:
        self.record = _summed_up(self.record, summary)
        if self.shown:
            self.chains.update(summary.chains)
            self.told = True


def _summed_up(run: RunRecord, summary: Summary) -> RunRecord:
    return replace(
        run,
        output=summary.output,
        usage=summary.usage,
        cost=summary.cost,
        error=summary.error,
    )


class Lease(Struct, frozen=True):
    """A claim, and what it leads to."""

    claim: Claim
    held: Held

    def answer(self, claim: Claim) -> Held:
        """Raises Conflict when it is for another request."""
        if self.claim.fingerprint != claim.fingerprint:
            raise claimed_otherwise()
        return replace(self.held, replayed=True)


class Conversation(Struct, frozen=True):
    """A session, and when it was last changed by itself."""

    session: Session
    changed_at: float


class Conversations:
    """Sessions by tenant and id, kept true while their runs come, end and go."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Conversation] = {}

    def __iter__(self) -> Iterator[Session]:
        return (kept.session for kept in self._kept.values())

    def get(self, tenant: str, session_id: str) -> Session | None:
        kept = self._kept.get((tenant, session_id))
        return kept.session if kept else None

    def put(self, session: Session) -> None:
        known = self.get(session.tenant, session.id)
        told = (known.question, known.last_run, known.runs) if known else ("", None, 0)
        question, last_run, runs = told
        self._keep(
            replace(session, question=question, last_run=last_run, runs=runs), session.updated_at
        )

    def drop(self, tenant: str, session_id: str) -> None:
        self._kept.pop((tenant, session_id), None)

    def joined(self, run: RunRecord) -> None:
        kept = self._kept.get((run.tenant, run.session_id)) or _made_by(run)
        session = kept.session
        session = replace(
            session,
            updated_at=max(session.updated_at, run.updated_at),
            question=session.question if session.runs else run.question,
            last_run=run.id,
            runs=session.runs + 1,
        )
        self._keep(session, kept.changed_at)

    def ended(self, run: RunRecord) -> None:
        if kept := self._kept.get((run.tenant, run.session_id)):
            latest = max(kept.session.updated_at, run.updated_at)
            self._keep(replace(kept.session, updated_at=latest), kept.changed_at)

    def left(self, run: RunRecord, remaining: list[RunRecord]) -> None:
        """`remaining` are the stored runs that it still has, oldest first."""
        if kept := self._kept.get((run.tenant, run.session_id)):
            session = replace(
                kept.session,
                updated_at=max([kept.changed_at, *(r.updated_at for r in remaining[-1:])]),
                question=remaining[0].question if remaining else "",
                last_run=remaining[-1].id if remaining else None,
                runs=len(remaining),
            )
            self._keep(session, kept.changed_at)

    def _keep(self, session: Session, changed_at: float) -> None:
        self._kept[session.tenant, session.id] = Conversation(session, changed_at)


def _made_by(run: RunRecord) -> Conversation:
    session = Session(
        run.session_id,
        run.tenant,
        run.created_at,
        run.created_at,
        user=run.user,
        key=run.session_key,
    )
    return Conversation(session, run.created_at)


class Ledger:
    """What was used, by day, tenant and model."""

    def __init__(self) -> None:
        self._rows: dict[tuple[int, str, str], UsageRow] = {}
        self._times: dict[tuple[int, str, str, Kind, int], int] = {}

    def rows(self) -> list[UsageRow]:
        return [self._rows[key] for key in sorted(self._rows)]

    def times(self) -> list[LatencyRow]:
        return [LatencyRow(*key, self._times[key]) for key in sorted(self._times)]

    def bill(self, tenant: str, bill: Bill, at: float) -> None:
        row = self._row(tenant, bill.model, at)
        self._keep(
            replace(
                row, calls=row.calls + 1, usage=row.usage + bill.usage, cost=row.cost + bill.cost
            )
        )
        if bill.took is not None:
            self._time(row, "call", bill.took.seconds)
            self._time(row, "first", bill.took.first)

    def ended(self, run: RunRecord, at: float, worked: float | None) -> None:
        row = self._row(run.tenant, run.model, at)
        failed = row.failed + (run.status == "failed")
        self._keep(replace(row, runs=row.runs + 1, failed=failed))
        self._time(row, "run", worked)

    def _time(self, row: UsageRow, kind: Kind, seconds: float | None) -> None:
        if seconds is not None:
            place = (row.day, row.tenant, row.model, kind, bucket_of(seconds))
            self._times[place] = self._times.get(place, 0) + 1

    def _row(self, tenant: str, model: str, at: float) -> UsageRow:
        day = day_of(at)
        return self._rows.get((day, tenant, model)) or UsageRow(day, tenant, model)

    def _keep(self, row: UsageRow) -> None:
        self._rows[row.day, row.tenant, row.model] = row
