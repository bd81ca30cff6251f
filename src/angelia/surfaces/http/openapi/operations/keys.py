"""Keys, and what they used."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.operation import Answer, Json, Operation, ok, path, query
from angelia.surfaces.http.openapi.shapes import Schema
from angelia.wire.keys import shapes as wire

TAG = "keys"
NOT_FOUND = "key_not_found"

KEY_ID = path("key_id", "The id of a key, which is not its secret.")
DAY = Schema(type="string", format="date", pattern=r"^\d{4}-\d{2}-\d{2}$")
GROUPS = Schema(type="string", pattern="^(day|model|key)(,(day|model|key))*$", default="day")

OPERATIONS = (
    Operation(
        method="get",
        path="/api/keys",
        id="listKeys",
        tag=TAG,
        summary="All keys, without their secrets",
        scopes=("admin",),
        answers=(ok(Json(wire.KeyListOut)),),
    ),
    Operation(
        method="post",
        path="/api/keys",
        id="createKey",
        tag=TAG,
        summary="Make a key; no other answer shows its secret",
        scopes=("admin",),
        body=wire.CreateKeyIn,
        answers=(Answer(201, "It is made.", (Json(wire.NewKeyOut),)),),
    ),
    Operation(
        method="get",
        path="/api/keys/{key_id}",
        id="getKey",
        tag=TAG,
        summary="One key",
        scopes=("admin",),
        parameters=(KEY_ID,),
        answers=(ok(Json(wire.KeyOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="patch",
        path="/api/keys/{key_id}",
        id="changeKey",
        tag=TAG,
        summary="Change the name, scopes, rules or end of a key",
        scopes=("admin",),
        parameters=(KEY_ID,),
        body=wire.ChangeKeyIn,
        answers=(ok(Json(wire.KeyOut)),),
        refusals=(NOT_FOUND, "own_key", "last_admin_key", "key_revoked"),
    ),
    Operation(
        method="delete",
        path="/api/keys/{key_id}",
        id="revokeKey",
        tag=TAG,
        summary="Revoke a key; what it made stays",
        scopes=("admin",),
        parameters=(KEY_ID,),
        answers=(ok(Json(wire.KeyOut)),),
        refusals=(NOT_FOUND, "own_key", "last_admin_key"),
    ),
    Operation(
        method="get",
        path="/api/usage",
        id="getUsage",
        tag=TAG,
        summary="What keys used and what it cost",
        description="A key sees its own; one with the scope `admin` sees all.",
        scopes=("read", "runs", "chat", "admin"),
        parameters=(
            query("from", "The first day, in UTC.", DAY),
            query("to", "The last day, in UTC.", DAY),
            query("group", "What lines are for: some of these, with commas between.", GROUPS),
            query("key", "Only this key, by its id.", parameters.TEXT),
        ),
        answers=(ok(Json(wire.UsageReportOut)),),
        refusals=(NOT_FOUND,),
    ),
)
