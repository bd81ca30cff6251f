"""Webhooks of runs: who wants to be told of what, and the signed message that tells it.

The message follows Standard Webhooks: three headers, and a signature over id, time and body.
"""

import base64
import hashlib
import hmac
import re
from typing import get_args

from msgspec import Raw, Struct, json

from angelia.core.events import AnyEvent, Cancelled, Completed, RunEnded, RunWaited
from angelia.wire import fields
from angelia.wire.addresses import is_surely_private
from angelia.wire.runs.shapes import WebhookEvent, WebhookIn

EVENTS: tuple[WebhookEvent, ...] = get_args(WebhookEvent)

# A host that every parser reads the same way, so that what is checked is what is asked.
_URL = re.compile(
    r"https?://(?P<host>\[[0-9a-f:.]+\]|[0-9a-z_](?:[0-9a-z._-]*[0-9a-z_.])?)(?::(?P<port>\d{1,5}))?"
    r"(?:[/?][\x21\x22\x24-\x7e]*)?",
    re.IGNORECASE,
)


class Wish(Struct, frozen=True):
    url: str
    events: tuple[WebhookEvent, ...] = EVENTS

    @property
    def host(self) -> str:
        """What people may see of the address: the rest of it may be secret."""
        return host_of(self.url)


class _Told(Struct):
    type: WebhookEvent
    timestamp: float
    data: Raw


_wish = json.Decoder(Wish)


def parse(given: str | WebhookIn) -> Wish:
    """Raises BadRequest, which names the path of the field that is wrong."""
    if isinstance(given, str):
        return Wish(_address(given, "webhook"))
    url = _address(given.url, "webhook.url")
    return Wish(url) if given.events is None else Wish(url, tuple(dict.fromkeys(given.events)))


def refuse_private(wish: Wish) -> None:
    """Raises BadRequest for an address that can only be of this machine or its surroundings."""
    if is_surely_private(wish.host):
        raise fields.refused(
            "webhook.url",
            "this server sends nothing to private addresses. Name a public one, or set "
            "allow_private in the section [webhooks] of angelia.toml",
        )


def to_raw(wish: Wish) -> Raw:
    """The wish as a run's log keeps it."""
    return Raw(json.encode(wish))


def from_raw(raw: Raw) -> Wish:
    return _wish.decode(raw)


def host_of(url: str) -> str:
    found = _URL.fullmatch(url)
    return found["host"] if found else "?"


def told_by(event: AnyEvent) -> WebhookEvent | None:
    """What a webhook calls this event; None for one that webhooks are not told of."""
    match event:
        case RunWaited():
            return "run.waiting"
        case RunEnded(ending=Completed()):
            return "run.completed"
        case RunEnded(ending=Cancelled()):
            return "run.cancelled"
        case RunEnded():
            return "run.failed"
        case _:
            return None


def body(event: WebhookEvent, at: float, run: bytes) -> bytes:
    """`run` is the JSON of the run as it was then."""
    return json.encode(_Told(event, at, Raw(run)))


def headers(message_id: str, at: int, content: bytes, digest: str) -> dict[str, str]:
    """`at` is when the message is sent; `digest` is that of the key that the run belongs to."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "angelia",
        "webhook-id": message_id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(message_id, at, content, digest),
    }


def signature(message_id: str, at: int, content: bytes, digest: str) -> str:
    signed = f"{message_id}.{at}.".encode() + content
    code = hmac.new(digest.encode(), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(code).decode()}"


def _address(url: str, param: str) -> str:
    found = _URL.fullmatch(url)
    if found and 0 < int(found["port"] or 80) < 65536:
        return url
    raise fields.refused(
        param,
        "expected an address such as https://example.com/hook, in ASCII, without a user, a "
        "password or a fragment",
    )
