"""Conversations: chains of runs, by name and by what was said in them."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Raw, Struct

from angelia.core.messages import EMPTY_OBJECT, Message
from angelia.ports.tools import Caller


class Session(Struct, frozen=True):
    """A conversation: a chain of runs. `key` is the scope of memory that its client names.

    `title` is what somebody called it; `question` is what its first run was asked. Everything
    behind `metadata` is told by its runs.
    """

    id: str
    tenant: str
    created_at: float
    updated_at: float
    title: str = ""
    user: str | None = None
    key: str | None = None
    forked_from: str | None = None
    metadata: Raw = EMPTY_OBJECT
    question: str = ""
    last_run: str | None = None
    runs: int = 0


class SessionFilter(Struct, frozen=True):
    """Latest change first; `before` is the id of the last session of the page before."""

    tenant: str
    user: str | None = None
    key: str | None = None
    before: str | None = None
    limit: int = 20


class Search(Struct, frozen=True):
    """Every word of `text` must occur, the last one may be cut off.

    A `strict` one finds sessions of exactly this user and this key, where None is nobody's;
    any other takes a user of None for everybody and asks for no key.
    """

    tenant: str
    text: str
    user: str | None = None
    limit: int = 20
    key: str | None = None
    strict: bool = False


class Hit(Struct, frozen=True):
    """A run of a session in which words were found; they stand between « and » in `snippet`."""

    session_id: str
    run_id: str
    at: float
    role: Literal["user", "assistant"]
    snippet: str


class Found(Struct, frozen=True):
    hit: Hit
    session: Session


class SessionStore(Protocol):
    async def get(self, tenant: str, session_id: str) -> Session | None: ...

    async def find(self, wanted: SessionFilter) -> Sequence[Session]: ...

    async def put(self, session: Session) -> None:
        """Makes it, or takes over title, user, key, fork, metadata and times of a known one."""
        ...

    async def delete(self, tenant: str, session_id: str) -> Sequence[str]:
        """The session, its runs and all that belongs to them; answers with the runs' ids."""
        ...

    async def search(self, wanted: Search) -> Sequence[Hit]:
        """Best first."""
        ...


class PastSessions(Protocol):
    """What was said before on behalf of one caller; of others there is nothing to find."""

    async def search(self, caller: Caller, text: str, limit: int) -> Sequence[Found]:
        """Best first. Raises RequestError for words that occur too often."""
        ...

    async def read(self, caller: Caller, session_id: str) -> tuple[Session, tuple[Message, ...]]:
        """All that was said in a session up to now. Raises NotFound."""
        ...
