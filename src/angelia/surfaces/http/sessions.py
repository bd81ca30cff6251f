"""/api/sessions: conversations listed, made, read, titled, forked, searched, exported, deleted."""

import re
from contextlib import nullcontext
from datetime import UTC, datetime

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.messages import Message
from angelia.errors import BadRequest
from angelia.ports import Found, Scope, Search, Session, SessionFilter
from angelia.runtime.archive import Archive, Draft
from angelia.surfaces.http.requests import (
    body,
    caller,
    services,
    session_key,
    shortened,
    whole_number,
)
from angelia.surfaces.http.users import end_user
from angelia.wire.sessions import export as wire_export
from angelia.wire.sessions.request import parse_change, parse_create, parse_fork
from angelia.wire.sessions.server import first_question, session_status, shown, shown_title
from angelia.wire.sessions.shapes import (
    DeletedOut,
    HitOut,
    HitSession,
    HitsOut,
    MessagesOut,
    SessionOut,
    SessionsOut,
)

WRITE: tuple[Scope, ...] = ("chat", "runs")
READ: tuple[Scope, ...] = (*WRITE, "read")
MOST_SESSIONS = 100
MOST_MESSAGES = 1_000
LONGEST_QUERY = 400


async def find(request: Request) -> Response:
    key = await caller(request, *READ)
    archive = services(request).archive
    query = request.query_params
    limit = whole_number(query.get("limit", "20"), "limit", most=MOST_SESSIONS)
    before = query.get("after")
    if before is not None:
        await archive.get(key.id, before, "after")
    wanted = SessionFilter(key.id, query.get("user"), query.get("key"), before, limit + 1)
    found = await archive.find(wanted)
    page = [await _session(archive, session) for session in found[:limit]]
    return _json(SessionsOut(page, has_more=len(found) > limit))


async def create(request: Request) -> Response:
    key = await caller(request, *WRITE)
    asked = parse_create(await body(request))
    given = services(request)
    draft = Draft(
        tenant=key.id,
        surface="import",
        id=asked.id,
        # What is brought along was asked elsewhere, so no run of ours can tell the question.
        title=asked.title or shown_title("", first_question(asked.messages)),
        user=end_user(request, asked.user),
        key=session_key(request),
        metadata=asked.metadata,
        messages=asked.messages,
    )
    with await given.admission.admit(key) if asked.messages else nullcontext():
        made = await given.archive.create(draft)
    return _json(await _session(given.archive, made), 201)


async def search(request: Request) -> Response:
    key = await caller(request, *READ)
    query = request.query_params
    limit = whole_number(query.get("limit", "20"), "limit", most=MOST_SESSIONS)
    text = _words(query.get("q", ""))
    wanted = Search(key.id, text, query.get("user"), limit + 1)
    found = await services(request).archive.search(wanted)
    return _json(HitsOut([_hit(one) for one in found[:limit]], has_more=len(found) > limit))


async def get(request: Request) -> Response:
    session = await _owned(request, *READ)
    return _json(await _session(services(request).archive, session))


async def change(request: Request) -> Response:
    session = await _owned(request, *WRITE)
    asked = parse_change(await body(request))
    archive = services(request).archive
    return _json(
        await _session(archive, await archive.change(session, asked.title, asked.metadata))
    )


async def delete(request: Request) -> Response:
    session = await _owned(request, *WRITE)
    await services(request).archive.delete(session)
    return _json(DeletedOut(session.id, deleted=True))


async def messages(request: Request) -> Response:
    session = await _owned(request, *READ)
    query = request.query_params
    limit = whole_number(query.get("limit", "100"), "limit", most=MOST_MESSAGES)
    first = whole_number(query["after"], "after") + 1 if "after" in query else 0
    said = await services(request).archive.transcript(session)
    page = [shown(one, n) for n, one in enumerate(said[first : first + limit], first)]
    return _json(MessagesOut(page, has_more=len(said) > first + limit))


async def fork(request: Request) -> Response:
    key = await caller(request, *WRITE)
    session = await _owned(request, *WRITE)
    asked = parse_fork(await body(request))
    given, archive = services(request), services(request).archive
    title = shown_title(session.title, session.question) if asked.title is None else asked.title
    with await given.admission.admit(key):
        made = await archive.fork(session, behind=asked.run_id, fresh_id=asked.id, title=title)
    return _json(await _session(archive, made), 201)


async def export(request: Request) -> Response:
    session = await _owned(request, *READ)
    form = request.query_params.get("format", "jsonl")
    archive = services(request).archive
    match form:
        case "jsonl":
            described = await _session(archive, session)
            data = wire_export.jsonl(described, await archive.transcript(session))
            return _file(data, "application/jsonl", session, "jsonl")
        case "markdown":
            text = _markdown(session, await archive.transcript(session))
            return _file(text.encode(), "text/markdown; charset=utf-8", session, "md")
        case _:
            raise BadRequest(
                f"format is {shortened(form)!r}; it can be 'jsonl' or 'markdown'.",
                param="format",
                code="invalid_value",
            )


async def _owned(request: Request, *scopes: Scope) -> Session:
    key = await caller(request, *scopes)
    return await services(request).archive.get(key.id, request.path_params["session_id"])


def _words(text: str) -> str:
    if not text.strip():
        raise BadRequest(
            "Missing required parameter: 'q', the words to look for.",
            param="q",
            code="missing_required_parameter",
        )
    if len(text) > LONGEST_QUERY:
        raise BadRequest(
            f"q is longer than {LONGEST_QUERY} characters.", param="q", code="invalid_value"
        )
    return text


async def _session(archive: Archive, session: Session) -> SessionOut:
    return SessionOut(
        id=session.id,
        title=shown_title(session.title, session.question),
        created_at=session.created_at,
        updated_at=session.updated_at,
        user=session.user,
        key=session.key,
        runs=session.runs,
        last_run_id=session.last_run,
        forked_from=session.forked_from,
        metadata=session.metadata,
        status=session_status(await archive.status(session)),
    )


def _hit(found: Found) -> HitOut:
    hit, session = found.hit, found.session
    named = HitSession(session.id, shown_title(session.title, session.question))
    return HitOut(named, hit.run_id, hit.role, hit.snippet, hit.at)


def _markdown(session: Session, said: tuple[Message, ...]) -> str:
    about = [
        ("Session", session.id),
        ("Created", _moment(session.created_at)),
        ("Updated", _moment(session.updated_at)),
        *([("User", session.user)] if session.user else []),
    ]
    return wire_export.markdown(shown_title(session.title, session.question), about, said)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(" ", "seconds")


def _file(data: bytes, media_type: str, session: Session, ending: str) -> Response:
    name = re.sub(r"[^\w.-]", "_", session.id, flags=re.ASCII)
    headers = {"Content-Disposition": f'attachment; filename="session-{name}.{ending}"'}
    return Response(data, headers=headers, media_type=media_type)


def _json(answer: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, media_type="application/json")
