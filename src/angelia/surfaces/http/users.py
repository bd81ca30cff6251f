"""Who the end user behind a key is: by a signed token, by a trusted header, or by the body."""

import msgspec
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from angelia.config import Secret, Users
from angelia.errors import BadRequest, Unauthorized
from angelia.surfaces.http.requests import services

TOKEN_HEADER = "X-OpenWebUI-User-Jwt"  # noqa: S105
LONGEST = 256
# Clocks of two machines differ a little.
LEEWAY = 30.0


class Claims(Struct, frozen=True):
    """What Open WebUI signs: `sub` is the id of its user, times are seconds since the epoch."""

    sub: str
    exp: float
    nbf: float | None = None
    iat: float | None = None


def end_user(request: HTTPConnection, named: str | None = None) -> str | None:
    """`named` is the `user` of the body."""
    given = services(request)
    return identify_user(request.headers, named, given.settings.users, given.clock.now())


def identify_user(headers: Headers, named: str | None, users: Users, now: float) -> str | None:
    """Raises Unauthorized for a token that does not hold, BadRequest for what is no name."""
    token = _only(headers, TOKEN_HEADER)
    if users.openwebui_secret is not None and token is not None:
        return _signed(token, users.openwebui_secret, now)
    for header in users.trusted_headers:
        if (value := _only(headers, header)) is not None:
            return _visible(value, header)
    return _visible(named, "user") if named else None


def _only(headers: Headers, name: str) -> str | None:
    """A header that comes twice may have been added to by somebody who is not trusted."""
    values = headers.getlist(name)
    if len(values) > 1:
        raise BadRequest(f"The header {name} came twice.", param=name, code="invalid_value")
    return values[0] if values and values[0] else None


def _visible(text: str, param: str) -> str:
    if _is_name(text):
        return text
    raise BadRequest(
        f"Invalid value for '{param}': 1 to {LONGEST} visible characters.",
        param=param,
        code="invalid_value",
    )


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST and text.isprintable() and bool(text.strip())


def _signed(token: str, secret: Secret, now: float) -> str:
    try:
        claims = msgspec.json.decode(_payload(token, secret), type=Claims)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _refused("it does not say whose it is, and until when") from None
    if now >= claims.exp + LEEWAY:
        raise _refused("it has expired")
    if now < max(claims.nbf or 0.0, claims.iat or 0.0) - LEEWAY:
        raise _refused("it is not valid yet; compare the clocks of both machines")
    if not _is_name(claims.sub):
        raise _refused("its 'sub' is no id")
    return claims.sub


def _payload(token: str, secret: Secret) -> bytes:
    from jwt import PyJWS, PyJWTError

    try:
        # Its types name a library that HS256 does without.
        return PyJWS().decode(  # pyright: ignore[reportUnknownMemberType]
            token, secret.reveal(), algorithms=["HS256"]
        )
    except PyJWTError:
        raise _refused("it is not signed by HS256 with the secret configured here") from None


def _refused(why: str) -> Unauthorized:
    return Unauthorized(
        f"The token in {TOKEN_HEADER} is refused: {why}.",
        param=TOKEN_HEADER,
        code="invalid_user_token",
    )
