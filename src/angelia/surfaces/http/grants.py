"""/api/grants: what people have agreed to for longer than one call, listed and revoked."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia.ports import Grant
from angelia.surfaces.http.requests import caller, services
from angelia.wire.grants.shapes import GrantListOut, GrantOut, GrantRevokedOut

JSON = "application/json"


async def find(request: Request) -> Response:
    key = await caller(request, "runs", "chat", "read")
    given = services(request)
    redact = given.runs.toolbox.redact
    shown = tuple(_shown(grant, redact(grant.what)) for grant in await given.approvals.find(key.id))
    return Response(msgspec.json.encode(GrantListOut(shown)), media_type=JSON)


async def revoke(request: Request) -> Response:
    """Runs under way keep what they were started with."""
    key = await caller(request, "runs", "chat")
    grant_id = request.path_params["grant_id"]
    await services(request).approvals.revoke(key.id, grant_id)
    return Response(msgspec.json.encode(GrantRevokedOut(grant_id, deleted=True)), media_type=JSON)


def _shown(grant: Grant, what: str) -> GrantOut:
    return GrantOut(
        id=grant.id,
        what=what,
        user=grant.user,
        session_id=grant.session_id,
        run_id=grant.run_id,
        created_at=grant.created_at,
    )
