"""Conversations as their owner keeps them: listed, read, titled, forked, searched, deleted."""

import asyncio
from collections.abc import Sequence

from msgspec import Raw, Struct, UnsetType
from msgspec.structs import replace

from angelia.core.history import closed
from angelia.core.messages import EMPTY_OBJECT, Message
from angelia.core.state import Status
from angelia.core.transcript import transcript
from angelia.errors import Conflict, NotFound
from angelia.ports import (
    Clock,
    Hit,
    OutputStore,
    RunFilter,
    Search,
    Session,
    SessionFilter,
    SessionStore,
)
from angelia.runtime.ids import fresh
from angelia.runtime.library import ENDED
from angelia.runtime.orders import Order
from angelia.runtime.runs import Runs


class Draft(Struct, frozen=True):
    """A session to be made. It begins as if `messages` had been said in it, in the run `parent`."""

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


class Found(Struct, frozen=True):
    hit: Hit
    session: Session


class Archive:
    def __init__(
        self, *, sessions: SessionStore, runs: Runs, outputs: OutputStore, clock: Clock
    ) -> None:
        self._sessions = sessions
        self._runs = runs
        self._outputs = outputs
        self._clock = clock
        # A session is looked up and then written; nobody else may write it in between.
        self._writing = asyncio.Lock()

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
        found: list[Found] = []
        known: dict[str, Session | None] = {}
        for hit in await self._sessions.search(wanted):
            if hit.session_id not in known:
                known[hit.session_id] = await self._sessions.get(wanted.tenant, hit.session_id)
            if (session := known[hit.session_id]) is not None:
                found.append(Found(hit, session))
        return found

    async def status(self, session: Session) -> Status | None:
        """Of its last run; None if there is none."""
        if session.last_run is None:
            return None
        try:
            return (await self._runs.get(session.tenant, session.last_run)).status
        except NotFound:
            return None

    async def transcript(self, session: Session) -> tuple[Message, ...]:
        """All that was said up to now. Calls that are under way have no result yet."""
        return (await self._runs.said(session.tenant, session.id))[0]

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
        async with self._writing:
            if await self._sessions.get(session.tenant, session.id) is not None:
                raise Conflict(
                    f"There is a session {session.id!r} already; leave out 'id' to have one made.",
                    param="id",
                    code="session_exists",
                )
            await self._sessions.put(session)
        if draft.messages:
            await self._runs.seed(_seed(draft, session.id))
        return await self.get(session.tenant, session.id)

    async def change(
        self, session: Session, title: str | UnsetType, metadata: Raw | UnsetType
    ) -> Session:
        """UNSET is what stays as it is."""
        async with self._writing:
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
        if behind is None:
            said, parent = await self._runs.said(session.tenant, session.id)
        else:
            said, parent = await self._said_by(session, behind), behind
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
        run = await self._runs.get(session.tenant, run_id)
        if run.session_id != session.id or not run.stored:
            raise NotFound(
                f"There is no run {run_id!r} in the session {session.id!r}.",
                param="run_id",
                code="run_not_found",
            )
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
        for run in await self._runs.find(RunFilter(session.tenant, session_id=session.id)):
            if run.status not in ENDED:
                raise Conflict(
                    f"Run {run.id!r} of the session is {run.status}. Stop it with "
                    f"POST /v1/runs/{run.id}/stop, then delete the session.",
                    code="session_busy",
                )
        async with self._writing:
            for run_id in await self._sessions.delete(session.tenant, session.id):
                await self._outputs.delete(run_id)


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
    )
