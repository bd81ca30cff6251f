"""/api/sessions/{session_id}/turns: a session as all its runs tell it, branch by branch."""

import msgspec
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.events import RunStarted
from angelia.core.messages import Message
from angelia.core.run import fold
from angelia.ports import SEEDS
from angelia.runtime.archive import Turn
from angelia.runtime.facing import facing, is_summed_up
from angelia.surfaces.http.requests import caller, services, whole_number
from angelia.surfaces.http.sessions import READ
from angelia.wire.runs.server import payload, run_json
from angelia.wire.sessions.server import shown
from angelia.wire.sessions.shapes import TurnOut, TurnsOut

MOST = 100


async def find(request: Request) -> Response:
    key = await caller(request, *READ)
    archive = services(request).archive
    session = await archive.get(key.id, request.path_params["session_id"])
    query = request.query_params
    limit = whole_number(query.get("limit", "20"), "limit", most=MOST)
    found, has_more = await archive.turns(session, limit, query.get("before"))
    answer = TurnsOut([_shown(turn) for turn in found], has_more)
    return Response(msgspec.json.encode(answer), media_type="application/json")


def _shown(turn: Turn) -> TurnOut:
    run, entries = turn.run, turn.entries
    state = None if is_summed_up(run) else fold(entry.event for entry in entries)
    events = () if run.surface in SEEDS else entries
    return TurnOut(
        run=Raw(run_json(facing(run, state))),
        input=[shown(message) for message in _asked(turn)],
        events=[Raw(payload(entry)) for entry in events],
        cut_off=turn.cut_off,
    )


def _asked(turn: Turn) -> tuple[Message, ...]:
    """What is new in the run; all that it holds, if it only holds what was brought."""
    first = turn.entries[0].event
    assert isinstance(first, RunStarted)  # noqa: S101 -- what every log begins with
    return first.messages if turn.run.surface in SEEDS else first.messages[first.history :]
