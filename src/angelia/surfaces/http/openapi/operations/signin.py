"""A browser that stands for a key."""

from angelia.surfaces.http.openapi.operation import Json, Operation, ok
from angelia.wire.signin import shapes as wire

TAG = "signin"

OPERATIONS = (
    Operation(
        method="get",
        path="/api/signin",
        id="getSignIn",
        tag=TAG,
        summary="Who is signed in with this browser",
        scopes=(),
        answers=(ok(Json(wire.SignInOut)),),
    ),
    Operation(
        method="post",
        path="/api/signin",
        id="signIn",
        tag=TAG,
        summary="Sign in with a key; the cookie stands for it on every route",
        scopes=(),
        body=wire.SignInIn,
        answers=(ok(Json(wire.SignInOut)),),
        refusals=("invalid_api_key",),
    ),
    Operation(
        method="delete",
        path="/api/signin",
        id="signOut",
        tag=TAG,
        summary="Sign out",
        scopes=(),
        answers=(ok(Json(wire.SignInOut)),),
    ),
)
