"""Opaque strings that clients keep for us and bring back: sealed reasoning and summaries.

They hold nothing that a client may not know, and whoever reads one checks what it finds, since
anybody can write such a string.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Literal

from msgspec import MsgspecError, Raw, Struct, json

from angelia.core.messages import Seal
from angelia.errors import BadRequest
from angelia.wire import fields

SEAL = "angs1."
SUMMARY = "angc1."
CODE = "invalid_encrypted_content"

# What a seal may hold, by the dialect that minted it: a provider takes it back as it is.
_KINDS = {"responses": ("reasoning",), "anthropic": ("thinking", "redacted_thinking")}


class Summary(Struct, frozen=True):
    """What a conversation came to before it was compacted."""

    text: str


class _Typed(Struct):
    type: str


class _Details(Struct):
    reasoning_details: list[Raw]


def seal_token(seal: Seal) -> str:
    return _encode(SEAL, json.encode(seal))


def summary_token(summary: str) -> str:
    return _encode(SUMMARY, json.encode(Summary(summary)))


def read_seal(token: str, param: str) -> Seal | None:
    """None for a string of somebody else, which only they can read."""
    if not token.startswith(SEAL):
        return None
    try:
        seal = json.decode(_decode(token, SEAL), type=Seal)
        genuine = _is_genuine(seal)
    except (MsgspecError, ValueError, RecursionError) as fault:
        raise _damaged(param) from fault
    if not genuine:
        raise _damaged(param)
    return seal


def read_summary(token: str, param: str) -> str:
    if not token.startswith(SUMMARY):
        why = "it was not made by this server's /v1/responses/compact"
        raise fields.refused(param, why, code=CODE)
    try:
        return json.decode(_decode(token, SUMMARY), type=Summary).text
    except (MsgspecError, ValueError, RecursionError) as fault:
        raise _damaged(param) from fault


def _is_genuine(seal: Seal) -> bool:
    if seal.dialect == "chat":
        json.decode(seal.data, type=_Details)
        return True
    return json.decode(seal.data, type=_Typed).type in _KINDS.get(seal.dialect, ())


def _encode(prefix: Literal["angs1.", "angc1."], data: bytes) -> str:
    return prefix + urlsafe_b64encode(data).decode()


def _decode(token: str, prefix: str) -> bytes:
    return urlsafe_b64decode(token.removeprefix(prefix))


def _damaged(param: str) -> BadRequest:
    return fields.refused(param, "it is not as this server handed it out", code=CODE)
