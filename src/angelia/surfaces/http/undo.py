"""/v1/runs/{run_id}/changes and /undo: what a run has done to the workspace, and back again."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia.ports import RunRecord, Scope
from angelia.surfaces.http.off_loop import off_loop
from angelia.surfaces.http.requests import body, caller, services
from angelia.wire.runs.request import parse_undo
from angelia.wire.runs.shapes import ChangeOut, ChangesOut, LeftAloneOut, UndoneOut

JSON = "application/json"


async def changes(request: Request) -> Response:
    run = await _owned(request, "runs", "read")
    found = await services(request).undoing.changes(run)
    shown = [
        ChangeOut(file.path, file.kind, file.standing, file.diff, file.note) for file in found.files
    ]
    answer = ChangesOut(run.id, shown, list(found.notes))
    return Response(msgspec.json.encode(answer), media_type=JSON)


async def undo(request: Request) -> Response:
    """What cannot be undone is told, not refused: the rest is undone all the same."""
    run = await _owned(request, "runs")
    wanted = await off_loop(parse_undo, await body(request))
    undone = await services(request).undoing.undo(
        run, force=wanted.force, redo=wanted.redo, dry_run=wanted.dry_run
    )
    answer = UndoneOut(
        run.id,
        wanted.dry_run,
        list(undone.restored),
        list(undone.removed),
        [LeftAloneOut(one.path, one.reason) for one in undone.conflicts],
        list(undone.notes),
    )
    return Response(msgspec.json.encode(answer), media_type=JSON)


async def _owned(request: Request, *scopes: Scope) -> RunRecord:
    key = await caller(request, *scopes)
    return await services(request).runs.get(key.id, request.path_params["run_id"])
