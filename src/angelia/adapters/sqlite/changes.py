"""What can be asked of the writer thread. `apply` runs there, `settle` back in the loop.

`first` is the seq of the first of a change's `events`. A group that somebody waits for (`awaited`)
is synced to the disk. A change that is refused says so in `error` before it has touched anything,
so that the rest of its group is committed all the same. What a run under way needs is `patient`: it
waits for a disk that cannot be written for a while, and may be applied several times until then.
Whatever is given a place in the log `flies` until it has settled; of what is `carried` out of the
spool the place is known.
"""

from asyncio import Future
from collections.abc import Callable
from sqlite3 import Connection
from typing import Any, ClassVar

from msgspec import Struct

from angelia.adapters.refusals import (
    claim_held,
    claimed_otherwise,
    fenced,
    no_run,
    run_exists,
)
from angelia.adapters.sqlite.claims import Lease
from angelia.adapters.sqlite.lines import Line, Live
from angelia.adapters.sqlite.recorder import Head, Recorder
from angelia.adapters.sqlite.records import told
from angelia.adapters.sqlite.rows import StoredRow, Stretches, encode
from angelia.core.events import AnyEvent, RunEnded
from angelia.errors import AngeliaError, Conflict, LogUnavailable
from angelia.ports import Claim, Held, Mark, RunRecord, Summary


class Offer(Struct, gc=False):
    """Deltas that nobody waits for. There are a hundred of these for every other change."""

    run_id: str
    events: tuple[AnyEvent, ...]
    body: bytes
    size: int
    line: Line
    generation: int = 0
    first: int = 0
    error: AngeliaError | None = None

    awaited: ClassVar[bool] = False
    patient: ClassVar[bool] = True
    flies: ClassVar[bool] = True
    carried: ClassVar[int] = 0

    def apply(self, recorder: Recorder) -> None:
        head = recorder.head(self.run_id)
        if head is None or head.ended or head.epoch != self.line.epoch:
            self.error = fenced(self.run_id)
        else:
            self.first = head.seq + 1
            recorder.write(head, False, len(self.events), self.body)

    def settle(self, live: Live) -> None:
        line = self.line
        if self.error is None:
            line.last = self.first + len(self.events) - 1
        elif isinstance(self.error, LogUnavailable):
            line.lose(self.error)
        line.written(self.size)


class Settle(Struct, gc=False):
    """Rows that readers have had already, out of the spool and into the database."""

    run_id: str
    line: Line
    rows: tuple[StoredRow, ...]
    generation: int = 0
    error: AngeliaError | None = None

    awaited: ClassVar[bool] = False
    patient: ClassVar[bool] = True
    flies: ClassVar[bool] = False
    events: ClassVar[tuple[AnyEvent, ...]] = ()
    first: ClassVar[int] = 0
    size: ClassVar[int] = 0

    @property
    def carried(self) -> int:
        return _bytes(self.rows)

    def apply(self, recorder: Recorder) -> None:
        head = recorder.head(self.run_id)
        # Of a run that was deleted there is nothing to bring in.
        if head is not None:
            recorder.bring_in(head, self.rows)

    def settle(self, live: Live) -> None:
        live.settling -= 1
        if self.error is None:
            self.line.settle(self.rows)
        else:
            self.line.resend(self.error)


class Answered:
    """A change that somebody waits for."""

    __slots__ = (
        "_future",
        "carried",
        "error",
        "events",
        "first",
        "generation",
        "result",
        "run_id",
        "size",
    )

    awaited: ClassVar[bool] = True
    flies: ClassVar[bool] = True

    def __init__(
        self, run_id: str, future: "Future[Any]", events: tuple[AnyEvent, ...] = (), size: int = 0
    ) -> None:
        self.run_id = run_id
        self.events = events
        self.size = size
        self.carried = 0
        self.generation = 0
        self.first = 0
        self.error: AngeliaError | None = None
        self.result: object = None
        self._future = future

    @property
    def patient(self) -> bool:
        return False

    def settle(self, live: Live) -> None:
        if self.error is None:
            self._succeeded(live)
        else:
            self._failed(self.error)
        if self._future.done():
            return
        if self.error is None:
            self._future.set_result(self.result)
        else:
            self._future.set_exception(self.error)

    def _succeeded(self, live: Live) -> None:
        """What the loop must know of it."""

    def _failed(self, error: AngeliaError) -> None:
        """What the loop must take back."""


class Append(Answered):
    """Events behind the last of a run. `line` is None if this process has not written it yet."""

    __slots__ = ("_ends", "_epoch", "_line", "_mark", "_spooled", "_stretches", "_told")

    def __init__(
        self,
        run_id: str,
        epoch: int,
        events: tuple[AnyEvent, ...],
        mark: Mark | None,
        line: Line | None,
        future: "Future[int]",
    ) -> None:
        self._stretches = encode(events)
        super().__init__(run_id, future, events, _size(self._stretches))
        self._epoch = epoch
        self._mark = mark
        self._told = told(mark.summary) if mark and mark.summary else None
        self._line = line
        self._ends = _ends(events)
        self._spooled: tuple[StoredRow, ...] = ()
        if line is not None:
            line.ended = self._ends
            self._spooled = line.send()
            self.carried = _bytes(self._spooled)

    @property
    def patient(self) -> bool:
        return True

    def apply(self, recorder: Recorder) -> None:
        head = recorder.head(self.run_id)
        if head is None or head.ended or head.epoch != self._epoch:
            self.error = fenced(self.run_id)
            return
        # Whatever is queued behind this counts on it, so a refusal comes after it.
        recorder.bring_in(head, self._spooled)
        mark = self._mark
        if mark is not None and mark.claim is not None:
            self.error = _claimed(recorder, head, mark.claim)
            if self.error is not None:
                return
            recorder.hold(head.tenant, mark.claim, self.run_id, head.seq)
        self.first = head.seq + 1
        _write(recorder, head, self._stretches)
        if mark is not None:
            self._apply_mark(recorder, head, mark)
        if self._ends:
            recorder.close(head)
            recorder.count(head, mark.worked if mark is not None else None)
        self.result = head.seq

    def _apply_mark(self, recorder: Recorder, head: Head, mark: Mark) -> None:
        recorder.mark(head, mark.status)
        if mark.parent is not None:
            recorder.adopt(head, mark.parent)
        if mark.bill is not None:
            recorder.bill(head, mark.bill)
        if mark.summary is not None and self._told is not None:
            recorder.tell(head, self._told, mark.summary.chains)

    def _succeeded(self, live: Live) -> None:
        last = self.first + len(self.events) - 1
        if self._line is not None:
            self._line.settle(self._spooled)
        if self._ends:
            live.lines.pop(self.run_id, None)
        elif (line := live.lines.get(self.run_id)) is not None:
            line.last = last
        else:
            live.lines[self.run_id] = Line(self.run_id, self._epoch, last)

    def _failed(self, error: AngeliaError) -> None:
        line = self._line
        if line is None:
            return
        # Of what is refused for its claim the rest has arrived.
        if isinstance(error, Conflict):
            line.settle(self._spooled)
        else:
            line.resend(error)
        if self._ends:
            line.ended = False


def _claimed(recorder: Recorder, head: Head, claim: Claim) -> AngeliaError | None:
    """Why the claim cannot be had, if it cannot."""
    lease = recorder.lease(head.tenant, claim.key)
    if lease is None:
        return None
    return claim_held() if lease.fingerprint == claim.fingerprint else claimed_otherwise()


def _write(recorder: Recorder, head: Head, stretches: Stretches) -> None:
    for fact, count, body in stretches:
        recorder.write(head, fact, count, body)


def _size(stretches: Stretches) -> int:
    return sum(len(stretch.body) for stretch in stretches)


def _bytes(rows: tuple[StoredRow, ...]) -> int:
    return sum(len(row[3]) for row in rows)


def _ends(events: tuple[AnyEvent, ...]) -> bool:
    return bool(events) and type(events[-1]) is RunEnded


class Create(Answered):
    """A run with its first events and its claim, or the run that holds the claim already.

    What goes `along` with a new run is done in the same transaction.
    """

    __slots__ = ("_along", "_claim", "_given", "_run", "_stretches", "_summary")

    def __init__(
        self,
        run: RunRecord,
        events: tuple[AnyEvent, ...],
        claim: Claim | None,
        summary: Summary | None,
        along: Callable[[Connection], None] | None,
        future: "Future[Held]",
    ) -> None:
        self._stretches = encode(events)
        super().__init__(run.id, future, events, _size(self._stretches))
        self._run = run
        self._claim = claim
        self._summary = summary
        self._along = along
        self._given = events

    @property
    def patient(self) -> bool:
        """A run that another one has begun is part of its work."""
        return self._run.delegated_by is not None

    def apply(self, recorder: Recorder) -> None:
        run, claim = self._run, self._claim
        self.events, self.result = self._given, Held(run.id)
        if claim is not None and (lease := recorder.lease(run.tenant, claim.key)):
            self._attach(claim, lease)
        elif recorder.head(run.id) is not None:
            self.error = run_exists(run.id)
        else:
            self.first = 1
            self._begin(recorder)

    def _attach(self, claim: Claim, lease: Lease) -> None:
        self.events = ()
        try:
            self.result = lease.held(claim)
        except Conflict as refusal:
            self.error = refusal

    def _begin(self, recorder: Recorder) -> None:
        run, claim, summary = self._run, self._claim, self._summary
        head = recorder.begin(run)
        if self._along is not None:
            self._along(recorder.connection)
        if claim is not None:
            recorder.hold(run.tenant, claim, run.id, 0)
        _write(recorder, head, self._stretches)
        if summary is not None:
            recorder.tell(head, told(summary), summary.chains)
        if _ends(self.events):
            recorder.close(head)

    def _succeeded(self, live: Live) -> None:
        if self.first and not _ends(self.events):
            live.lines[self.run_id] = Line(self.run_id, self._run.epoch, len(self.events))


class Take(Answered):
    """A new epoch for a run. `line` is where others have written under the old one, if at all."""

    __slots__ = ("_epoch", "_last", "_line", "_spooled")

    def __init__(self, run_id: str, line: Line | None, future: "Future[int]") -> None:
        super().__init__(run_id, future)
        self._line = line
        self._spooled = line.send() if line is not None else ()
        self.carried = _bytes(self._spooled)

    @property
    def patient(self) -> bool:
        return True

    def apply(self, recorder: Recorder) -> None:
        head = recorder.head(self.run_id)
        if head is None:
            self.error = no_run(self.run_id)
            return
        recorder.bring_in(head, self._spooled)
        self.result = self._epoch = recorder.take(head)
        self._last = head.seq

    def _succeeded(self, live: Live) -> None:
        if self._line is not None:
            self._line.settle(self._spooled)
        # What is still unwritten under the old epoch counts on the old line.
        live.lines[self.run_id] = Line(self.run_id, self._epoch, self._last)

    def _failed(self, error: AngeliaError) -> None:
        if self._line is not None:
            self._line.resend(error)


class Delete(Answered):
    __slots__ = ()

    def apply(self, recorder: Recorder) -> None:
        recorder.delete(self.run_id)

    def _succeeded(self, live: Live) -> None:
        live.lines.pop(self.run_id, None)
        live.feeds.forget(self.run_id)


class DeleteSession(Answered):
    """A session with all its runs; refused while one of them has not ended."""

    __slots__ = ("_ids", "_session_id", "_tenant")

    flies: ClassVar[bool] = False

    def __init__(self, tenant: str, session_id: str, future: "Future[tuple[str, ...]]") -> None:
        super().__init__("", future)
        self._tenant = tenant
        self._session_id = session_id
        self._ids: tuple[str, ...] = ()

    def apply(self, recorder: Recorder) -> None:
        try:
            self.result = self._ids = recorder.delete_session(self._tenant, self._session_id)
        except Conflict as refusal:
            self.error = refusal

    def _succeeded(self, live: Live) -> None:
        for run_id in self._ids:
            live.feeds.forget(run_id)


class Statement(Answered):
    """Anything else: what `work` returns is the answer, an AngeliaError it raises the refusal.

    It is `patient` where tools of a run wait for it.
    """

    __slots__ = ("_patient", "_work")

    flies: ClassVar[bool] = False

    def __init__(
        self,
        work: Callable[[Connection], object],
        future: "Future[Any]",
        *,
        patient: bool = False,
    ) -> None:
        super().__init__("", future)
        self._work = work
        self._patient = patient

    @property
    def patient(self) -> bool:
        return self._patient

    def apply(self, recorder: Recorder) -> None:
        try:
            self.result = self._work(recorder.connection)
        except AngeliaError as refusal:
            self.error = refusal


Change = Offer | Settle | Append | Create | Take | Delete | DeleteSession | Statement
