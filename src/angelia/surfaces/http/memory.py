"""/api/memory: notes that outlast conversations, listed, added, edited, forgotten."""

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.notes import Note, Owner
from angelia.ports import NoteFilter, Scope
from angelia.surfaces.http.requests import body, caller, services, session_key, whole_number
from angelia.surfaces.http.users import end_user
from angelia.wire.fields import missing
from angelia.wire.memory.request import parse_add, parse_change
from angelia.wire.memory.server import shown
from angelia.wire.memory.shapes import NoteDeletedOut, NotesDeletedOut, NotesOut

WRITE: tuple[Scope, ...] = ("chat", "runs")
READ: tuple[Scope, ...] = (*WRITE, "read")
MOST_NOTES = 100


async def find(request: Request) -> Response:
    key = await caller(request, *READ)
    query = request.query_params
    limit = whole_number(query.get("limit", "20"), "limit", most=MOST_NOTES)
    wanted = NoteFilter(
        key.id, _named(request, "user"), _named(request, "session_key"), query.get("after")
    )
    found = await services(request).notebook.find(msgspec.structs.replace(wanted, limit=limit + 1))
    return _json(NotesOut([shown(note) for note in found[:limit]], has_more=len(found) > limit))


async def add(request: Request) -> Response:
    key = await caller(request, *WRITE)
    asked = parse_add(await body(request))
    given = services(request)
    owner = Owner(key.id, end_user(request, asked.user), session_key(request))
    with await given.admission.admit(key):
        note = await given.notebook.add(owner, asked.text, asked.kind)
    return _json(shown(note), 201)


async def clear(request: Request) -> Response:
    """Whose notes are meant has to be said, so that nobody forgets all by a slip of the pen."""
    key = await caller(request, *WRITE)
    user = _named(request, "user")
    if user is UNSET:
        raise missing("user")
    wanted = NoteFilter(key.id, user, _named(request, "session_key"))
    return _json(NotesDeletedOut(await services(request).notebook.clear(wanted)))


async def get(request: Request) -> Response:
    return _json(shown(await _owned(request, *READ)))


async def change(request: Request) -> Response:
    note = await _owned(request, *WRITE)
    asked = parse_change(await body(request))
    text = note.text if asked.text is UNSET else asked.text
    kind = note.kind if asked.kind is UNSET else asked.kind
    return _json(shown(await services(request).notebook.change(note, text, kind)))


async def forget(request: Request) -> Response:
    note = await _owned(request, *WRITE)
    await services(request).notebook.forget(note)
    return _json(NoteDeletedOut(note.id, deleted=True))


async def _owned(request: Request, *scopes: Scope) -> Note:
    key = await caller(request, *scopes)
    return await services(request).notebook.get(key.id, request.path_params["note_id"])


def _named(request: Request, name: str) -> str | UnsetType | None:
    """Left out, it is whoever it is; empty, it is nobody."""
    return UNSET if name not in request.query_params else request.query_params[name] or None


def _json(answer: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, media_type="application/json")
