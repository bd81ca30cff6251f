"""Conversations as their owner keeps them: listed, read, titled, forked, searched, deleted."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from angelia.core.events import Entry
from angelia.core.history import closed
from angelia.core.messages import EMPTY_OBJECT, Message
from angelia.core.state import Status
from angelia.core.transcript import transcript
from angelia.errors import Conflict, NotFound
from angelia.ports import (
    Clock,
    Found,
    OutputStore,
    RunFilter,
    RunRecord,
    Search,
    Session,
    SessionFilter,
    SessionStore,
)
from angelia.runtime.ids import fresh
from angelia.runtime.library import ENDED
from angelia.runtime.one_by_one import OneByOne
from angelia.runtime.orders import Order
from angelia.runtime.runs import Runs


class Draft(Struct, frozen=True):
    """A session to be made. It begins as if `messages` had been said in it, in the run `parent`.

    `kept` is what its client wants to be known beside them.
    """

    tenant: str
    surface: str
    id: str | None = None
    title: str = ""
    user: str | None = None
    key: str | None = None
    metadata: Raw = EMPTY_OBJECT
    messages: tuple[Message, ...] = ()
    parent: str | None = None
    forked_from: str | None = None
    kept: Raw | UnsetType = UNSET


class Turn(Struct, frozen=True):
    """A run of a session as it was at one moment: what happened in it, without the pieces.

    `cut_off` is what it has shown of a reply that its end cut off.
    """

    run: RunRecord
    entries: tuple[Entry, ...]
    cut_off: str = ""


class Archive:
    def __init__(
        self,
        *,
        sessions: SessionStore,
        runs: Runs,
        outputs: OutputStore,
        clock: Clock,
        on_delete: Callable[[str, str], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """`on_delete` is told the tenant and the id of a session that is gone."""
        self._sessions = sessions
        self._runs = runs
        self._outputs = outputs
        self._clock = clock
        self._on_delete = on_delete
        self._searching = OneByOne()

    # ── views ───────────────────────────────────────────────────────────────────────────

    async def get(self, tenant: str, session_id: str, param: str = "session_id") -> Session:
        """What belongs to another tenant does not exist."""
        session = await self._sessions.get(tenant, session_id)
        if session is None:
            raise NotFound(
                f"There is no session {session_id!r}.", param=param, code="session_not_found"
            )
        return session

    async def find(self, wanted: SessionFilter) -> Sequence[Session]:
        return await self._sessions.find(wanted)

    async def search(self, wanted: Search) -> Sequence[Found]:
        """One at a time for each tenant, so that nobody keeps others from searching."""
        async with self._searching.at(wanted.tenant):
            hits = await self._sessions.search(wanted)
        found: list[Found] = []
        known: dict[str, Session | None] = {}
        for hit in hits:
            if hit.session_id not in known:
                known[hit.session_id] = await self._sessions.get(wanted.tenant, hit.session_id)
            if (session := known[hit.session_id]) is not None:
                found.append(Found(hit, session))
        return found

    async def status(self, session: Session) -> Status | None:
        """Of its last run, or of one that is under way; None if there is none."""
        if session.last_run is None:
            return None
        try:
            last = await self._runs.get(session.tenant, session.last_run)
        except NotFound:
            return None
        if last.status in ENDED and self._runs.busy(session.tenant, session.id):
            last = await self._under_way(session) or last
        return last.status

    async def _under_way(self, session: Session) -> RunRecord | None:
        """The newest run that has not ended; one that is not stored is never found."""
        wanted = RunFilter(session.tenant, session_id=session.id)
        while page := await self._runs.find(wanted):
            for run in page:
                if run.status not in ENDED:
                    return run
            wanted = replace(wanted, before=page[-1].id)
        return None

    async def transcript(self, session: Session) -> tuple[Message, ...]:
        """All that was said up to now. Calls that are under way have no result yet."""
        return (await self._runs.said(session.tenant, session.id))[0]

    async def turns(
        self, session: Session, limit: int, before: str | None = None
    ) -> tuple[Sequence[Turn], bool]:
        """Its newest runs, or those before a run of it, oldest first, whatever branch they are of.

        And whether there are older ones. Raises NotFound when `before` is no run of the session.
        """
        if before is not None:
            await self._runs.get_in(session.tenant, session.id, before, "before")
        wanted = RunFilter(session.tenant, session_id=session.id, before=before, limit=limit + 1)
        found = await self._runs.find(wanted)
        runs = found[:limit][::-1]
        outlines = await self._runs.outlines([run.id for run in runs])
        # A run that was deleted meanwhile has nothing to show.
        told = [(run, entries) for run, entries in zip(runs, outlines, strict=True) if entries]
        return [await self._turn(run, entries) for run, entries in told], len(found) > limit

    async def _turn(self, run: RunRecord, entries: tuple[Entry, ...]) -> Turn:
        # A run under way may have gone on since its record was read.
        known = tuple(entry for entry in entries if entry.seq <= run.last_seq)
        return Turn(run, known, await self._runs.cut_off(run))

    # ── changes ─────────────────────────────────────────────────────────────────────────

    async def create(self, draft: Draft) -> Session:
        """Raises Conflict when there is a session of that id."""
        now = self._clock.now()
        session = Session(
            id=draft.id or fresh("sess", now),
            tenant=draft.tenant,
            created_at=now,
            updated_at=now,
            title=draft.title,
            user=draft.user,
            key=draft.key,
            forked_from=draft.forked_from,
            metadata=draft.metadata,
        )
        async with self._runs.session_turn(session.tenant, session.id):
            if await self._sessions.get(session.tenant, session.id) is not None:
                raise Conflict(
                    f"There is a session {session.id!r} already; leave out 'id' to have one made.",
                    param="id",
                    code="session_exists",
                )
            if draft.messages:
                await self._runs.seed(_seed(draft, session.id), session)
            else:
                await self._sessions.put(session)
        return await self.get(session.tenant, session.id)

    async def change(
        self, session: Session, title: str | UnsetType, metadata: Raw | UnsetType
    ) -> Session:
        """UNSET is what stays as it is."""
        async with self._runs.session_turn(session.tenant, session.id):
            now = await self.get(session.tenant, session.id)
            changed = replace(
                now,
                title=now.title if isinstance(title, UnsetType) else title,
                metadata=now.metadata if isinstance(metadata, UnsetType) else metadata,
                updated_at=self._clock.now(),
            )
            await self._sessions.put(changed)
        return changed

    async def fork(
        self, session: Session, *, behind: str | None, fresh_id: str | None, title: str
    ) -> Session:
        """A session with all that was said up to the end of the run `behind`, or up to now.

        It holds that itself, so it stays when the session it comes from is deleted.
        """
        async with self._runs.session_turn(session.tenant, session.id):
            session = await self.get(session.tenant, session.id)
            if behind is None:
                said, parent = await self._runs.said(session.tenant, session.id)
            else:
                said, parent = await self._said_by(session, behind), behind
        # The new session is written behind that: two forks never wait for each other.
        return await self.create(
            Draft(
                tenant=session.tenant,
                surface="fork",
                id=fresh_id,
                title=title,
                user=session.user,
                key=session.key,
                metadata=session.metadata,
                messages=said,
                parent=parent,
                forked_from=session.id,
            )
        )

    async def _said_by(self, session: Session, run_id: str) -> tuple[Message, ...]:
        await self._runs.get_in(session.tenant, session.id, run_id, "run_id")
        said = transcript(await self._runs.facts(run_id))
        if said is None:
            raise Conflict(
                f"Run {run_id!r} has not had its turn in the session; fork behind another run.",
                param="run_id",
                code="run_not_started",
            )
        return said

    async def delete(self, session: Session) -> None:
        """The session and all that belongs to it. Raises Conflict while a run is under way."""
        async with self._runs.session_turn(session.tenant, session.id):
            if self._runs.busy(session.tenant, session.id):
                raise _busy(await self._under_way(session))
            for run_id in await self._sessions.delete(session.tenant, session.id):
                await self._outputs.delete(run_id)
            if self._on_delete is not None:
                await self._on_delete(session.tenant, session.id)


def _busy(run: RunRecord | None) -> Conflict:
    if run is None:
        why = "A run of the session is under way. Wait until it has ended"
    else:
        why = f"Run {run.id!r} of the session is {run.status}. Stop it with "
        why += f"POST /v1/runs/{run.id}/stop"
    return Conflict(f"{why}, then delete the session.", code="session_busy")


def _seed(draft: Draft, session_id: str) -> Order:
    return Order(
        tenant=draft.tenant,
        messages=(),
        surface=draft.surface,
        session_id=session_id,
        session_key=draft.key,
        user=draft.user,
        history=closed(draft.messages),
        parent=draft.parent,
        request=draft.kept,
    )
