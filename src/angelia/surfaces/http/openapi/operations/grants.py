"""What people have agreed to for longer than one call."""

from angelia.surfaces.http.openapi.operation import Json, Operation, ok, path
from angelia.wire.grants import shapes as wire

TAG = "runs"

OPERATIONS = (
    Operation(
        method="get",
        path="/api/grants",
        id="listGrants",
        tag=TAG,
        summary="What people agreed to for a session or for always",
        scopes=("runs", "chat", "read"),
        answers=(ok(Json(wire.GrantListOut)),),
    ),
    Operation(
        method="delete",
        path="/api/grants/{grant_id}",
        id="revokeGrant",
        tag=TAG,
        summary="Revoke a grant; it does not hold from the next run on",
        scopes=("runs", "chat"),
        parameters=(path("grant_id", "The id of a grant."),),
        answers=(ok(Json(wire.GrantRevokedOut)),),
        refusals=("grant_not_found",),
    ),
)
