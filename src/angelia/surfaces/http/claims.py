"""What leads a request to the work that an earlier one has begun."""

import hashlib

from starlette.requests import HTTPConnection, Request

from angelia.errors import BadRequest
from angelia.ports import Claim
from angelia.surfaces.http.users import end_user

CLAIM_SECONDS = 24 * 3600


def claim(request: Request, content: bytes, now: float) -> Claim | None:
    """What an `Idempotency-Key` holds: the route and the body it came with.

    Without one, a frontend that names chat and message means the same run as long as it lives.
    """
    key = request.headers.get("idempotency-key")
    if not key:
        return _chat_claim(request, content, now)
    if len(key) > 255:
        raise BadRequest(
            "The Idempotency-Key is longer than 255 characters.", param="Idempotency-Key"
        )
    return Claim(f"key:{_apart(request)}{key}", _fingerprint(request, content), now + CLAIM_SECONDS)


def _chat_claim(request: Request, content: bytes, now: float) -> Claim | None:
    chat = _filled_in(request, "x-openwebui-chat-id")
    message = _filled_in(request, "x-openwebui-message-id")
    if not chat or not message:
        return None
    fingerprint = _fingerprint(request, content)
    said = f"{_apart(request)}{chat}\0{message}\0{fingerprint}"
    named = hashlib.sha256(said.encode()).hexdigest()
    return Claim(f"chat:{named}", fingerprint, now + CLAIM_SECONDS, live_only=True)


def _fingerprint(request: Request, content: bytes) -> str:
    return hashlib.sha256(request.url.path.encode() + b"\0" + content).hexdigest()


def chat_session(request: HTTPConnection) -> str | None:
    """The session that a frontend's own chat usually has here."""
    chat = _filled_in(request, "x-openwebui-chat-id")
    if chat is None:
        return None
    return f"chat_{hashlib.sha256(f'{_apart(request)}{chat}'.encode()).hexdigest()[:24]}"


def _filled_in(request: HTTPConnection, header: str) -> str | None:
    """A frontend that has nothing to say leaves its own words for it: `{{CHAT_ID}}`."""
    given = request.headers.get(header, "")
    return None if not given or given.startswith("{{") else given


def _apart(request: HTTPConnection) -> str:
    """Keeps users apart whom a token or a trusted header names; the body is compared anyway."""
    user = end_user(request)
    return f"{user}\0" if user else ""
