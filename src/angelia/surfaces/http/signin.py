"""/api/signin: a browser gets a cookie for a key, which scripts in it cannot read."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia import __version__
from angelia.errors import Unauthorized
from angelia.ports import ApiKey
from angelia.surfaces.http.requests import body, cookie_key, services, signing
from angelia.wire.signin.request import parse_sign_in
from angelia.wire.signin.shapes import SignedInKey, SignInOut
from angelia.wire.signin.token import LIFETIME


async def look(request: Request) -> Response:
    """Who is signed in here; needs no key."""
    return _shown(await cookie_key(request))


async def sign_in(request: Request) -> Response:
    asked = parse_sign_in(await body(request))
    given = services(request)
    key = await given.keyring.identify(asked.key.strip())
    if key is None:
        raise Unauthorized(
            "This is no key of this server, or it was revoked or has expired.",
            code="invalid_api_key",
            param="key",
        )
    response = _shown(key)
    token = signing(request).sign(key.id, given.clock.now())
    _set_cookie(request, response, token, LIFETIME)
    return response


async def sign_out(request: Request) -> Response:
    response = _shown(None)
    _set_cookie(request, response, "", 0)
    return response


def _set_cookie(request: Request, response: Response, token: str, seconds: int) -> None:
    response.set_cookie(
        signing(request).cookie,
        token,
        max_age=seconds,
        httponly=True,
        samesite="strict",
        # Behind a proxy that speaks TLS only the browser knows that it does.
        secure=request.headers.get("origin", "").startswith("https:"),
    )


def _shown(key: ApiKey | None) -> Response:
    known = None if key is None else SignedInKey(key.id, key.name, key.scopes)
    shown = SignInOut(known is not None, known, __version__)
    return Response(msgspec.json.encode(shown), media_type="application/json")
