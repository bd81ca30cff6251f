"""Sessions in memory."""

from collections.abc import Sequence

from angelia.adapters.memory.log import MemoryLog
from angelia.adapters.memory.search import matches
from angelia.adapters.memory.tables import Kept
from angelia.adapters.refusals import no_sessions_before, session_busy
from angelia.adapters.snippets import Said, hit
from angelia.adapters.words import words
from angelia.ports import Hit, Search, Session, SessionFilter


class MemorySessions:
    """The sessions of a MemoryLog."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log

    async def get(self, tenant: str, session_id: str) -> Session | None:
        return self._log.sessions.get(tenant, session_id)

    async def find(self, wanted: SessionFilter) -> Sequence[Session]:
        mine = [session for session in self._log.sessions if session.tenant == wanted.tenant]
        mine.sort(key=lambda session: (-session.updated_at, session.id))
        if wanted.before is not None:
            ids = [session.id for session in mine]
            if wanted.before not in ids:
                raise no_sessions_before(wanted.before)
            mine = mine[ids.index(wanted.before) + 1 :]
        return tuple(session for session in mine if _matches(session, wanted))[: wanted.limit]

    async def put(self, session: Session) -> None:
        self._log.sessions.put(session)

    async def delete(self, tenant: str, session_id: str) -> Sequence[str]:
        """Raises Conflict while a run of it has not ended."""
        runs = self._log.of_session(tenant, session_id)
        if not all(kept.ended for kept in runs):
            raise session_busy(session_id)
        self._log.sessions.drop(tenant, session_id)
        ids = tuple(kept.record.id for kept in runs)
        for run_id in ids:
            self._log.drop(run_id)
        return ids

    async def search(self, wanted: Search) -> Sequence[Hit]:
        looked_for = list(words(wanted.text))
        if not looked_for:
            return ()
        hits = [
            hit(looked_for, _said(kept))
            for kept in reversed(self._log.runs.values())
            if self._may_be_shown(kept, wanted)
            and matches(looked_for, kept.record.question, kept.record.output)
        ]
        hits.sort(key=lambda found: -found.snippet.count("«"))
        return tuple(hits[: wanted.limit])

    def _may_be_shown(self, kept: Kept, wanted: Search) -> bool:
        session = self._log.sessions.get(wanted.tenant, kept.record.session_id)
        if session is None or not kept.told or kept.record.tenant != wanted.tenant:
            return False
        if wanted.strict:
            return (session.user, session.key) == (wanted.user, wanted.key)
        return wanted.user is None or session.user == wanted.user


def _matches(session: Session, wanted: SessionFilter) -> bool:
    return (wanted.user is None or session.user == wanted.user) and (
        wanted.key is None or session.key == wanted.key
    )


def _said(kept: Kept) -> Said:
    run = kept.record
    return Said(run.session_id, run.id, run.created_at, run.question, run.output)
