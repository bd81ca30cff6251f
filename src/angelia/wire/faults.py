"""What an upstream says when it refuses, read into one error whatever protocol it speaks."""

import re
from collections.abc import Mapping

from msgspec import DecodeError, Raw, Struct, ValidationError, convert, json

from angelia.core.providers import wishes
from angelia.core.redact import redact
from angelia.errors import UpstreamRefused

MESSAGE_LIMIT = 500
_MAX_WRAPPERS = 4
_NOTHING = frozenset({b"", b"null", b"{}", b"false", b'""'})

_LONGEST_WORD = 100
_LONGEST_PAGE = 4_096
_TITLE = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


class Said(Struct, frozen=True):
    """What an error says of itself. `limit` is how many tokens the model reads, if that is told."""

    message: str = ""
    type: str | None = None
    code: str | int | None = None
    limit: int | None = None


def refused(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> UpstreamRefused:
    """An HTTP error. Reads the JSON shapes that providers use, else the body as text."""
    message = f"The provider answered with HTTP status {status}."
    return _refused(read(body), status, message, headers)


def refused_in_stream(said: Said) -> UpstreamRefused:
    """An error inside an answer that began with status 200; it may name another one."""
    return _refused(said, _status(said.code), f"{said.type or said.code or 'unknown error'}")


def _refused(
    said: Said, status: int | None, default: str, headers: Mapping[str, str] | None = None
) -> UpstreamRefused:
    named = {name.lower(): value for name, value in (headers or {}).items()}
    return UpstreamRefused(
        _clean(said.message) or _clean(default),
        status=status,
        headers={name: value for name, value in named.items() if wishes.matters(name)},
        their_type=_word(said.type),
        their_code=_word(said.code),
        limit=said.limit,
    )


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
    n_ctx: object = None
    metadata: object = None


class _Metadata(Struct):
    raw: str = ""


_decoder: json.Decoder[str | list[Raw] | _Fault | None] = json.Decoder(
    str | list[Raw] | _Fault | None
)


def read(body: bytes) -> Said:
    """An error body, or the value of its `error` field."""
    for _ in range(_MAX_WRAPPERS):
        try:
            value = _decoder.decode(body)
        except ValidationError:
            break
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return Said(_legible(body[:_LONGEST_PAGE].decode(errors="replace")))
        if isinstance(value, list) and value:
            body = bytes(value[0])
        elif isinstance(value, _Fault) and bytes(value.error) not in _NOTHING:
            body = bytes(value.error)
        elif isinstance(value, _Fault):
            return _read_fault(value)
        else:
            return Said(value if isinstance(value, str) else "")
    return Said()


def _legible(text: str) -> str:
    """Of a page that a proxy made for people, its title; of other markup, what stands in it."""
    if not text.lstrip().startswith("<"):
        return text
    title = _TITLE.search(text)
    return " ".join((title[1] if title else _TAG.sub(" ", text)).split())


def _read_fault(fault: _Fault) -> Said:
    texts = (fault.message, fault.detail, fault.msg, fault.title)
    found = next((text for text in texts if text), "")
    code, limit = fault.code, fault.n_ctx
    message = found if isinstance(found, str) else json.encode(found).decode()
    return Said(
        " ".join(filter(None, (message, _passed_on(fault.metadata)))),
        _text(fault.type) or _text(fault.status),
        code if isinstance(code, str | int) and not isinstance(code, bool) else None,
        limit if isinstance(limit, int) and limit > 0 else None,
    )


def _passed_on(metadata: object) -> str:
    """What the provider behind a gateway said, in its own words."""
    try:
        return convert(metadata, _Metadata).raw if metadata else ""
    except ValidationError:
        return ""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _status(code: str | int | None) -> int | None:
    number = int(code) if isinstance(code, str) and re.fullmatch(r"\d{3}", code) else code
    return number if isinstance(number, int) and 400 <= number <= 599 else None


def _word(said: str | int | None) -> str | None:
    return None if said is None else redact(str(said)[:_LONGEST_WORD])


def _clean(message: str) -> str:
    """Short, and without anything that looks like a key: some providers echo the one they got."""
    message = message.strip()
    start = redact(message[: MESSAGE_LIMIT * 2])
    whole = len(message) <= MESSAGE_LIMIT * 2 and len(start) <= MESSAGE_LIMIT
    return start if whole else start[: MESSAGE_LIMIT - 1] + "…"
