"""The routes of a server as commands use them: plain arguments in, the shapes of the wire out."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Literal, TypeVar, cast
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Raw, Struct

from angelia.surfaces.cli.remote import Remote
from angelia.wire.discovery import Model, Models
from angelia.wire.keys.shapes import KeyListOut, KeyOut, NewKeyOut, UsageReportOut
from angelia.wire.memory.shapes import AddNoteIn, NoteOut, NotesOut
from angelia.wire.runs.shapes import (
    ChangesOut,
    ErrorOut,
    PendingApproval,
    UndoIn,
    UndoneOut,
    UsageOut,
)
from angelia.wire.sessions.shapes import (
    HitOut,
    HitsOut,
    MessageOut,
    MessagesOut,
    SessionOut,
    SessionsOut,
)

PAGE = 100
ExportForm = Literal["markdown", "jsonl"]
View = Literal["events", "chat", "responses"]
T = TypeVar("T")


class Delegation(Struct, frozen=True):
    """The call that has begun a run."""

    run_id: str
    tool_call_id: str


class Run(Struct, frozen=True):
    """A run as the server tells it; what an older one does not know has a default."""

    run_id: str
    status: str
    created_at: float
    updated_at: float
    session_id: str
    model: str
    last_seq: int
    output: str
    usage: UsageOut
    error: ErrorOut | None
    cost: float
    pending_approvals: tuple[PendingApproval, ...] = ()
    question: str = ""
    surface: str = ""
    parent_run_id: str | None = None
    user: str | None = None
    delegated_by: Delegation | None = None


class Runs(Struct, frozen=True):
    """The newest first; the last id is the cursor of the next page."""

    data: tuple[Run, ...]
    has_more: bool = False


class Turn(Struct, frozen=True):
    """A run of a session, what was asked in it, and its events as JSON."""

    run: Run
    input: tuple[MessageOut, ...]
    events: tuple[Raw, ...]


class Turns(Struct, frozen=True):
    """Oldest first; the id of the first run is the cursor of the page before it."""

    data: tuple[Turn, ...]
    has_more: bool = False


class Tool(Struct, frozen=True):
    """`enabled` is false for one that is switched off for new runs."""

    name: str
    description: str
    emoji: str
    effect: str
    toolset: str
    enabled: bool = True


class Tools(Struct, frozen=True):
    data: tuple[Tool, ...]


class Status(Struct, frozen=True):
    status: str


class _Sequenced(Struct, frozen=True):
    seq: int


class Server:
    """Raises RequestError in the words of the server."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote

    # ── sessions ────────────────────────────────────────────────────────────────────────────

    async def sessions(self, limit: int = 20, after: str | None = None) -> SessionsOut:
        """Latest change first."""
        path = f"/api/sessions{_query(limit=limit, after=after)}"
        return await self._ask(SessionsOut, "GET", path)

    async def session(self, session_id: str) -> SessionOut:
        return await self._ask(SessionOut, "GET", _session(session_id))

    async def search(self, words: str, limit: int = 20) -> tuple[HitOut, ...]:
        """Best first."""
        path = f"/api/sessions/search{_query(q=words, limit=limit)}"
        return tuple((await self._ask(HitsOut, "GET", path)).data)

    async def messages(self, session_id: str) -> tuple[MessageOut, ...]:
        """All that was said, in order."""
        found: list[MessageOut] = []
        more = True
        while more:
            # The cursor is the index of the last one, and indices count from 0.
            after = len(found) - 1 if found else None
            path = _session(session_id, "/messages") + _query(limit=PAGE, after=after)
            page = await self._ask(MessagesOut, "GET", path)
            found += page.data
            more = page.has_more
        return tuple(found)

    async def turns(self, session_id: str, limit: int = 20, before: str | None = None) -> Turns:
        """The newest page, or the one that comes before a run."""
        path = _session(session_id, "/turns") + _query(limit=limit, before=before)
        return await self._ask(Turns, "GET", path)

    async def rename(self, session_id: str, title: str) -> SessionOut:
        return await self._ask(SessionOut, "PATCH", _session(session_id), {"title": title})

    async def fork(
        self, session_id: str, title: str | None = None, run_id: str | None = None
    ) -> SessionOut:
        """Behind the run, or behind all that was said."""
        wanted = {"title": title, "run_id": run_id}
        return await self._ask(SessionOut, "POST", _session(session_id, "/fork"), wanted)

    async def export(self, session_id: str, form: ExportForm) -> bytes:
        path = _session(session_id, "/export") + _query(format=form)
        return await self.remote.ask("GET", path)

    async def delete_session(self, session_id: str) -> None:
        await self.remote.ask("DELETE", _session(session_id))

    # ── runs ────────────────────────────────────────────────────────────────────────────────

    async def runs(self, limit: int = 20, **wanted: str | None) -> Runs:
        """`wanted` are filters of the route, such as `session_id` and `status`."""
        return await self._ask(Runs, "GET", f"/v1/runs{_query(limit=limit, **wanted)}")

    async def every_run(self, **wanted: str | None) -> AsyncIterator[Run]:
        """Page by page, the newest first."""
        after: str | None = None
        while True:
            page = await self.runs(PAGE, after=after, **wanted)
            for run in page.data:
                yield run
            if not page.has_more:
                return
            after = page.data[-1].run_id

    async def run(self, run_id: str) -> Run:
        return await self._ask(Run, "GET", _run(run_id))

    async def log(self, run: Run) -> AsyncIterator[bytes]:
        """The events that the run has so far, as JSON."""
        events = cast("AsyncGenerator[bytes]", self.remote.events(run.run_id))
        async with aclosing(events):
            async for data in events:
                yield data
                if msgspec.json.decode(data, type=_Sequenced).seq >= run.last_seq:
                    return

    async def stream(self, run_id: str, view: View) -> bytes:
        """All the bytes that a follower gets on a surface, to the end of the run."""
        query = "" if view == "events" else _query(**{"as": view})
        return await self.remote.ask("GET", _run(run_id, "/events") + query)

    async def stop(self, run_id: str) -> str:
        """The status behind it."""
        return (await self._ask(Status, "POST", _run(run_id, "/stop"), {})).status

    async def changes(self, run_id: str) -> ChangesOut:
        return await self._ask(ChangesOut, "GET", _run(run_id, "/changes"))

    async def undo(self, run_id: str, wanted: UndoIn) -> UndoneOut:
        return await self._ask(UndoneOut, "POST", _run(run_id, "/undo"), wanted)

    async def consent(self, run_id: str, approval_id: str, choice: str, reason: str = "") -> str:
        """The status behind it."""
        said = {"approval_id": approval_id, "choice": choice, "reason": reason}
        return (await self._ask(Status, "POST", _run(run_id, "/approval"), said)).status

    # ── what the server has ─────────────────────────────────────────────────────────────────

    async def models(self) -> tuple[Model, ...]:
        return (await self._ask(Models, "GET", "/v1/models")).data

    async def tools(self) -> tuple[Tool, ...]:
        return (await self._ask(Tools, "GET", "/v1/tools")).data

    async def notes(self) -> tuple[NoteOut, ...]:
        """Those without a user and without a scope: what a run of this key is told."""
        found: list[NoteOut] = []
        more, after = True, None
        while more:
            path = f"/api/memory{_query(user='', session_key='', limit=PAGE, after=after)}"
            page = await self._ask(NotesOut, "GET", path)
            found += page.data
            more, after = page.has_more, found[-1].id if found else None
        return tuple(found)

    async def note(self, text: str) -> NoteOut:
        return await self._ask(NoteOut, "POST", "/api/memory", AddNoteIn(text))

    async def forget(self, note_id: str) -> None:
        await self.remote.ask("DELETE", f"/api/memory/{quote(note_id, safe='')}")

    async def usage(self, first: str, last: str, group: str) -> UsageReportOut:
        """From the first day to the last, both included."""
        path = f"/api/usage{_query(**{'from': first, 'to': last, 'group': group})}"
        return await self._ask(UsageReportOut, "GET", path)

    # ── keys ────────────────────────────────────────────────────────────────────────────────

    async def keys(self) -> tuple[KeyOut, ...]:
        return (await self._ask(KeyListOut, "GET", "/api/keys")).data

    async def key(self, key_id: str) -> KeyOut:
        return await self._ask(KeyOut, "GET", _key(key_id))

    async def make_key(self, wanted: Struct) -> NewKeyOut:
        return await self._ask(NewKeyOut, "POST", "/api/keys", wanted)

    async def change_key(self, key_id: str, wanted: Struct) -> KeyOut:
        return await self._ask(KeyOut, "PATCH", _key(key_id), wanted)

    async def revoke_key(self, key_id: str) -> KeyOut:
        return await self._ask(KeyOut, "DELETE", _key(key_id))

    async def _ask(self, shape: type[T], method: str, path: str, body: Any = None) -> T:
        return msgspec.json.decode(await self.remote.ask(method, path, body), type=shape)


def _session(session_id: str, word: str = "") -> str:
    return f"/api/sessions/{quote(session_id, safe='')}{word}"


def _run(run_id: str, word: str = "") -> str:
    return f"/v1/runs/{quote(run_id, safe='')}{word}"


def _key(key_id: str) -> str:
    return f"/api/keys/{quote(key_id, safe='')}"


def _query(**given: str | int | None) -> str:
    said = {name: value for name, value in given.items() if value is not None}
    return f"?{urlencode(said)}" if said else ""
