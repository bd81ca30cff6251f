"""What every route reads from a request before it does anything: who asks, and the body."""

from typing import Literal, cast

from starlette.requests import ClientDisconnect, HTTPConnection, Request

from angelia.errors import BadRequest, Forbidden, TooLarge, Unauthorized
from angelia.ports import ApiKey, Scope
from angelia.runtime.services import Services
from angelia.wire import fields
from angelia.wire.signin.token import Signer, signer

ECHO_LIMIT = 200
CONSOLE_HEADER = "x-angelia-console"
OnDisconnect = Literal["cancel", "continue"]


def services(request: HTTPConnection) -> Services:
    return cast("Services", request.app.state.services)


def shortened(text: str, most: int = ECHO_LIMIT) -> str:
    """What an error repeats of a request, which may be as long as it likes."""
    return text if len(text) <= most else text[: most - 1] + "…"


async def caller(request: HTTPConnection, *scopes: Scope) -> ApiKey:
    """The key that asks. One of `scopes` suffices."""
    secret = _secret(request)
    keyring = services(request).keyring
    key = await keyring.identify(secret) if secret else await cookie_key(request)
    if key is None:
        shown = f"{secret[:4]}…" if secret and len(secret) > 8 else "none" if not secret else "…"
        raise Unauthorized(
            f"Incorrect API key provided: {shown}. Send it as 'Authorization: Bearer <key>'.",
            code="invalid_api_key",
        )
    if not set(scopes) & set(key.scopes):
        raise Forbidden(
            f"The key {shortened(key.name)!r} lacks the scope {scopes[0]!r}.", code="missing_scope"
        )
    return key


def _secret(request: HTTPConnection) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return request.headers.get("x-api-key") or None


def signing(request: HTTPConnection) -> Signer:
    return signer(services(request).secret)


async def cookie_key(request: HTTPConnection) -> ApiKey | None:
    """The key that this browser has signed in with.

    Pages of other ports of the same host are sent the cookie too. What they can send without
    asking first has no header of their own choosing, and what they ask for they cannot read.
    """
    if request.scope["type"] != "http":
        return None
    asks_only = request.scope["method"] in ("GET", "HEAD")
    if not asks_only and CONSOLE_HEADER not in request.headers:
        return None
    mark = signing(request)
    token = request.cookies.get(mark.cookie)
    if not token:
        return None
    given = services(request)
    key_id = mark.key_of(token, given.clock.now())
    return None if key_id is None else await given.keyring.active(key_id)


async def body(request: Request) -> bytes:
    limit = services(request).settings.server.body_limit
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > limit:
        raise _too_large(limit)
    pieces: list[bytes] = []
    size = 0
    try:
        async for piece in request.stream():
            size += len(piece)
            if size > limit:
                raise _too_large(limit)
            pieces.append(piece)
    except ClientDisconnect:
        raise BadRequest("The connection was closed before the body was complete.") from None
    return b"".join(pieces)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"The body is larger than {limit:,} bytes.", code="body_too_large")


def session_id(request: HTTPConnection) -> str | None:
    """The session a client names in a header, which every answer repeats."""
    header = "X-Hermes-Session-Id"
    given = request.headers.get(header)
    return fields.session_id(given, header) if given else None


def session_key(request: HTTPConnection) -> str | None:
    """The scope of memory that a client names in a header, which every answer repeats."""
    header = "X-Hermes-Session-Key"
    given = request.headers.get(header)
    return fields.name(given, header) if given else None


def toolsets(request: HTTPConnection) -> tuple[str, ...] | None:
    """The tools a request wants of those it could use, by name or set; None are all."""
    given = request.headers.get("x-angelia-toolsets")
    if given is None:
        return None
    return tuple(word for part in given.split(",") if (word := part.strip()) and word != "none")


def on_disconnect(request: HTTPConnection, default: OnDisconnect) -> OnDisconnect:
    wanted = request.headers.get("x-angelia-on-disconnect")
    if wanted is None:
        # Who sends one means to ask again for the same work if the connection is lost.
        return "continue" if request.headers.get("idempotency-key") else default
    if wanted not in ("cancel", "continue"):
        raise BadRequest(
            f"X-Angelia-On-Disconnect is {shortened(wanted)!r}; it can be 'cancel' or 'continue'.",
            param="X-Angelia-On-Disconnect",
        )
    return wanted


def whole_number(text: str, name: str, *, least: int = 0, most: int | None = None) -> int:
    """A count from a query or a header; BadRequest names it."""
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise BadRequest(f"{name} must be a whole number from 0, not {text[:40]!r}.", param=name)
    number = int(text)
    if number < least:
        raise BadRequest(f"{name} must be at least {least}.", param=name)
    if most is not None and number > most:
        raise BadRequest(f"{name} must be at most {most}.", param=name)
    return number


def flag(request: Request, name: str, *, usual: bool = False) -> bool:
    """A yes or no from the query; BadRequest names it."""
    text = request.query_params.get(name, str(usual)).lower()
    if text not in ("true", "false", "1", "0"):
        raise BadRequest(f"{name} is {shortened(text, 40)!r}; it can be true or false.", param=name)
    return text in ("true", "1")
