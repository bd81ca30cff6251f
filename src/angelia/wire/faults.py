"""What an upstream says when it refuses, read into one error whatever protocol it speaks."""

import re

from msgspec import DecodeError, Raw, Struct, ValidationError, json

from angelia.core.redact import redact
from angelia.errors import UpstreamRefused

MESSAGE_LIMIT = 500
_MAX_WRAPPERS = 4
_NOTHING = frozenset({b"", b"null", b"{}", b"false", b'""'})

_TRANSIENT_STATUSES = frozenset({408, 409, 429})
_PERMANENT_CODES = frozenset(
    {"insufficient_quota", "context_length_exceeded", "billing_hard_limit_reached"}
)

# Checked before the transient words: "invalid timeout" is not a timeout.
_PERMANENT = re.compile(
    r"invalid|authent|unauthori[sz]ed|permission|forbidden|api[ _]key|not[ _]found|policy"
    r"|content[ _]filter|context[ _](length|window)|too[ _]large|quota|billing|unsupported"
    r"|not[ _]supported|bad[ _]request"
)
_TRANSIENT = re.compile(
    r"overload|rate[ _]limit|too[ _]many|time[d]?[ _-]?out|server[ _]error|internal|api_error"
    r"|unavailable|server had an error|connection|network|disconnect|reset by peer"
    r"|closed unexpectedly|incomplete chunked read|broken pipe|try again|capacity"
)


def retryable(status: int) -> bool:
    """Whether the same request may succeed a little later."""
    return status in _TRANSIENT_STATUSES or 500 <= status <= 599


def refused(status: int, body: bytes, retry_after: float | None) -> UpstreamRefused:
    """An HTTP error. Reads the JSON shapes that providers use, else the body as text."""
    kind, code, message = read(body)
    permanent = kind in _PERMANENT_CODES or code in _PERMANENT_CODES
    return UpstreamRefused(
        _clean(message) or f"The provider answered with HTTP status {status}.",
        retryable=retryable(status) and not permanent,
        status=status,
        retry_after=retry_after,
    )


def refused_in_stream(
    type: str | None,  # noqa: A002 -- the name every protocol uses
    code: str | int | None,
    message: str,
) -> UpstreamRefused:
    """An error inside an answer that began with status 200; words stand in for the status."""
    status = _status(code)
    shown = _clean(message) or _clean(f"{type or code or 'unknown error'}")
    if status is not None:
        return UpstreamRefused(shown, retryable=retryable(status), status=status)
    verdict = _verdict(f"{type or ''} {code or ''}")
    if verdict is None:
        verdict = _verdict(message) or False
    return UpstreamRefused(shown, retryable=verdict)


class _Fault(Struct):
    """The fields that providers put beside each other or below `error`; any type may come."""

    error: Raw = Raw(b"")
    type: object = None
    status: object = None
    code: object = None
    message: object = None
    detail: object = None
    msg: object = None
    title: object = None


_decoder: json.Decoder[str | list[Raw] | _Fault | None] = json.Decoder(
    str | list[Raw] | _Fault | None
)


def read(body: bytes) -> tuple[str | None, str | int | None, str]:
    """Type, code and message of an error body, or of the value of its `error` field."""
    for _ in range(_MAX_WRAPPERS):
        try:
            value = _decoder.decode(body)
        except ValidationError:
            break
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return None, None, body.decode(errors="replace")
        if isinstance(value, list) and value:
            body = bytes(value[0])
        elif isinstance(value, _Fault) and bytes(value.error) not in _NOTHING:
            body = bytes(value.error)
        elif isinstance(value, _Fault):
            return _read_fault(value)
        else:
            return None, None, value if isinstance(value, str) else ""
    return None, None, ""


def _read_fault(fault: _Fault) -> tuple[str | None, str | int | None, str]:
    texts = (fault.message, fault.detail, fault.msg, fault.title)
    found = next((text for text in texts if text), "")
    message = found if isinstance(found, str) else json.encode(found).decode()
    code = fault.code
    return (
        _text(fault.type) or _text(fault.status),
        code if isinstance(code, str | int) and not isinstance(code, bool) else None,
        message,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _status(code: str | int | None) -> int | None:
    number = int(code) if isinstance(code, str) and re.fullmatch(r"\d{3}", code) else code
    return number if isinstance(number, int) and 400 <= number <= 599 else None


def _verdict(words: str) -> bool | None:
    words = words.lower()
    if _PERMANENT.search(words):
        return False
    return True if _TRANSIENT.search(words) else None


def _clean(message: str) -> str:
    """Short, and without anything that looks like a key: some providers echo the one they got."""
    message = redact(message.strip()[: MESSAGE_LIMIT * 2])
    return message if len(message) <= MESSAGE_LIMIT else message[: MESSAGE_LIMIT - 1] + "…"
