"""What was said before, for the one on whose behalf a model looks it up."""

from collections.abc import Sequence

from angelia.core.messages import Message
from angelia.errors import NotFound
from angelia.ports import Caller, Found, Search, Session, SessionStore
from angelia.runtime.library import Library
from angelia.runtime.one_by_one import OneByOne


class Recollection:
    def __init__(self, sessions: SessionStore, library: Library) -> None:
        self._sessions = sessions
        self._library = library
        self._searching = OneByOne()

    async def search(self, caller: Caller, text: str, limit: int) -> Sequence[Found]:
        """One at a time for each tenant, so that nobody keeps others from searching."""
        wanted = Search(
            caller.tenant, text, caller.user, limit, key=caller.session_key, strict=True
        )
        async with self._searching.at(caller.tenant):
            hits = await self._sessions.search(wanted)
        found: list[Found] = []
        for hit in hits:
            session = await self._sessions.get(caller.tenant, hit.session_id)
            if session is not None:
                found.append(Found(hit, session))
        return found

    async def read(self, caller: Caller, session_id: str) -> tuple[Session, tuple[Message, ...]]:
        session = await self._sessions.get(caller.tenant, session_id)
        mine = (caller.user, caller.session_key)
        if session is None or (session.user, session.key) != mine:
            raise NotFound(f"There is no session {session_id!r}.", code="session_not_found")
        said, _ = await self._library.said(caller.tenant, session_id)
        return session, said
