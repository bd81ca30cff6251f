"""What every route reads from a request before it does anything: who asks, and the body."""

import hashlib
from typing import Literal, cast

from starlette.requests import ClientDisconnect, Request

from angelia.errors import BadRequest, Forbidden, TooLarge, Unauthorized
from angelia.ports import ApiKey, Claim, Scope
from angelia.runtime.services import Services
from angelia.wire.runs import request as runs

CLAIM_SECONDS = 24 * 3600
ECHO_LIMIT = 200
OnDisconnect = Literal["cancel", "continue"]


def services(request: Request) -> Services:
    return cast("Services", request.app.state.services)


def shortened(text: str, most: int = ECHO_LIMIT) -> str:
    """What an error repeats of a request, which may be as long as it likes."""
    return text if len(text) <= most else text[: most - 1] + "…"


async def caller(request: Request, *scopes: Scope) -> ApiKey:
    """The key that asks. One of `scopes` suffices."""
    secret = _secret(request)
    key = await services(request).keyring.identify(secret) if secret else None
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


def _secret(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return request.headers.get("x-api-key") or None


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


def claim(request: Request, content: bytes, now: float) -> Claim | None:
    """What an `Idempotency-Key` holds: the route and the body it came with."""
    key = request.headers.get("idempotency-key")
    if not key:
        return None
    if len(key) > 255:
        raise BadRequest(
            "The Idempotency-Key is longer than 255 characters.", param="Idempotency-Key"
        )
    fingerprint = hashlib.sha256(request.url.path.encode() + b"\0" + content).hexdigest()
    return Claim(key, fingerprint, now + CLAIM_SECONDS)


def session_id(request: Request) -> str | None:
    """The session a client names in a header, which every answer repeats."""
    given = request.headers.get("x-hermes-session-id")
    return runs.session_id(given, "X-Hermes-Session-Id") if given else None


def on_disconnect(request: Request, key: ApiKey, default: OnDisconnect) -> OnDisconnect:
    wanted = request.headers.get("x-angelia-on-disconnect")
    if wanted is None:
        return key.on_disconnect or default
    if wanted not in ("cancel", "continue"):
        raise BadRequest(
            f"X-Angelia-On-Disconnect is {shortened(wanted)!r}; it can be 'cancel' or 'continue'.",
            param="X-Angelia-On-Disconnect",
        )
    return wanted


def whole_number(text: str, name: str, *, most: int | None = None) -> int:
    """A count from a query or a header; BadRequest names it."""
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise BadRequest(f"{name} must be a whole number from 0, not {text[:40]!r}.", param=name)
    number = int(text)
    if most is not None and number > most:
        raise BadRequest(f"{name} must be at most {most}.", param=name)
    return number
