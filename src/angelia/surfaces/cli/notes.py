"""What `angelia memory` does: in this process, or at the server that works in the home folder."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol
from urllib.parse import quote, urlencode

import msgspec
from msgspec import UNSET

from angelia.config import Settings
from angelia.config.running import running_at
from angelia.core.notes import NoteKind, Owner
from angelia.errors import HomeInUse
from angelia.ports import NoteFilter
from angelia.runtime.keyring import FIRST
from angelia.runtime.notebook import Notebook
from angelia.runtime.services import Services
from angelia.surfaces.cli.remote import Remote
from angelia.wire.memory.server import shown
from angelia.wire.memory.shapes import AddNoteIn, ChangeNoteIn, NoteOut, NotesDeletedOut, NotesOut

PAGE = 100
PATH = "/api/memory"
SCOPE_HEADER = "X-Hermes-Session-Key"

Open = Callable[[Settings], AbstractAsyncContextManager[Services]]


class Book(Protocol):
    """The notes of the home folder's key."""

    async def list(self, user: str | None, session_key: str | None) -> list[NoteOut]: ...

    async def add(
        self, text: str, kind: NoteKind, user: str | None, session_key: str | None
    ) -> NoteOut: ...

    async def change(self, note_id: str, text: str) -> NoteOut: ...

    async def forget(self, note_id: str) -> None: ...

    async def clear(self, user: str | None, session_key: str | None) -> int: ...


async def at_desk(
    open_services: Open, settings: Settings, work: "Callable[[Desk], Coroutine[Any, Any, None]]"
) -> None:
    try:
        async with open_services(settings) as services:
            await work(Desk(LocalBook(services.notebook)))
    except HomeInUse:
        async with Remote(*running_at(settings)) as remote:
            await work(Desk(RemoteBook(remote)))


class Desk:
    """One method for each command; each prints what came of it."""

    def __init__(self, book: Book) -> None:
        self._book = book

    async def list(self, user: str | None, session_key: str | None, *, as_json: bool) -> None:
        notes = await self._book.list(user, session_key)
        if as_json:
            print(msgspec.json.encode(notes).decode())
            return
        for note in notes:
            print(_line(note))
        if not notes:
            print("There are no notes.")

    async def add(
        self, text: str, kind: NoteKind, user: str | None, session_key: str | None
    ) -> None:
        print(_line(await self._book.add(text, kind, user, session_key)))

    async def edit(self, note_id: str, text: str) -> None:
        print(_line(await self._book.change(note_id, text)))

    async def forget(self, note_id: str) -> None:
        await self._book.forget(note_id)
        print(f"Forgot {note_id}.")

    async def clear(self, user: str | None, session_key: str | None) -> None:
        gone = await self._book.clear(user, session_key)
        print(f"Forgot {gone} {'note' if gone == 1 else 'notes'}.")


def _line(note: NoteOut) -> str:
    whose = [f"user {note.user}"] if note.user else []
    whose += [f"scope {note.session_key}"] if note.session_key else []
    about = f" ({', '.join(whose)})" if whose else ""
    return f"{note.id}{about}: " + note.text.replace("\n", "\n  ")


class LocalBook:
    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook

    async def list(self, user: str | None, session_key: str | None) -> list[NoteOut]:
        wanted = NoteFilter(
            FIRST,
            UNSET if user is None else user or None,
            UNSET if session_key is None else session_key or None,
        )
        return [shown(note) for note in await self._notebook.find(wanted)]

    async def add(
        self, text: str, kind: NoteKind, user: str | None, session_key: str | None
    ) -> NoteOut:
        return shown(await self._notebook.add(Owner(FIRST, user, session_key), text, kind))

    async def change(self, note_id: str, text: str) -> NoteOut:
        note = await self._notebook.get(FIRST, note_id)
        return shown(await self._notebook.change(note, text))

    async def forget(self, note_id: str) -> None:
        await self._notebook.forget(await self._notebook.get(FIRST, note_id))

    async def clear(self, user: str | None, session_key: str | None) -> int:
        scope = UNSET if session_key is None else session_key or None
        return await self._notebook.clear(NoteFilter(FIRST, user or None, scope))


class RemoteBook:
    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def list(self, user: str | None, session_key: str | None) -> list[NoteOut]:
        found: list[NoteOut] = []
        more = True
        while more:
            after = found[-1].id if found else None
            query = _query(user=user, session_key=session_key, after=after, limit=str(PAGE))
            answer = await self._remote.ask("GET", f"{PATH}?{query}")
            page = msgspec.json.decode(answer, type=NotesOut)
            found += page.data
            more = page.has_more
        return found

    async def add(
        self, text: str, kind: NoteKind, user: str | None, session_key: str | None
    ) -> NoteOut:
        headers = {SCOPE_HEADER: session_key} if session_key else {}
        answer = await self._remote.ask("POST", PATH, AddNoteIn(text, kind, user or None), headers)
        return msgspec.json.decode(answer, type=NoteOut)

    async def change(self, note_id: str, text: str) -> NoteOut:
        answer = await self._remote.ask("PATCH", _path(note_id), ChangeNoteIn(text))
        return msgspec.json.decode(answer, type=NoteOut)

    async def forget(self, note_id: str) -> None:
        await self._remote.ask("DELETE", _path(note_id))

    async def clear(self, user: str | None, session_key: str | None) -> int:
        query = _query(user=user or "", session_key=session_key)
        answer = await self._remote.ask("DELETE", f"{PATH}?{query}")
        return msgspec.json.decode(answer, type=NotesDeletedOut).deleted


def _path(note_id: str) -> str:
    return f"{PATH}/{quote(note_id, safe='')}"


def _query(**given: str | None) -> str:
    return urlencode({name: value for name, value in given.items() if value is not None})
