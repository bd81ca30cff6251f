"""Addresses of pages, read in one way only: what is checked is what is asked.

Browsers, libraries and the C library disagree about odd spellings of a host. Here every spelling
becomes the plain one, or is refused; nothing behind this module sees any other.
"""

import re
import unicodedata
from ipaddress import IPv4Address, IPv6Address

from msgspec import Struct

LONGEST = 8_192

_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)(?P<rest>[^#]*)(?:#.*)?",
    re.DOTALL,
)
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]{0,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_UNFIT = re.compile(r"[\x00-\x20\x7f\\]")
_PORTS = {"http": 80, "https": 443}


class Url(Struct, frozen=True):
    """`host` is a name in ASCII or an address in its usual form, without brackets."""

    scheme: str
    host: str
    port: int
    rest: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.rest}"


def parse(text: str) -> Url:
    """Raises ValueError, which says in words what is wrong."""
    text = text.strip()
    if len(text) > LONGEST:
        raise ValueError(f"the URL is longer than {LONGEST:,} characters")
    found = _URL.fullmatch(text)
    if found is None or found["scheme"].lower() not in _PORTS:
        raise ValueError(_not_web(text))
    if _UNFIT.search(found["authority"]) or "\\" in found["rest"]:
        raise ValueError("the URL has a space, a backslash or a control character in it")
    if "@" in found["authority"]:
        raise ValueError("a URL with a user or a password in it is not asked; leave them out")
    scheme = found["scheme"].lower()
    named, port = authority(found["authority"], _PORTS[scheme])
    return Url(scheme, named, port, _rest(found["rest"]))


def authority(text: str, default_port: int) -> tuple[str, int]:
    """A host and its port. Raises ValueError as `parse` does."""
    found = _AUTHORITY.fullmatch(text)
    if found is None:
        raise ValueError("the URL has no host that can be read")
    port = int(found["port"] or default_port)
    if not 0 < port < 65536:
        raise ValueError(f"there is no port {port}")
    return host(found["host"]), port


def host(text: str) -> str:
    """The one spelling of a host. Raises ValueError as `parse` does."""
    if text.startswith("["):
        return _six(text[1:-1])
    name = _ascii(text)
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _four(labels)
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError(f"{text[:80]!r} is not the name of a host")
    return name


def _not_web(text: str) -> str:
    named = _SCHEME.match(text)
    if named and named["scheme"].lower() not in _PORTS:
        return f"only http and https are spoken here, not {named['scheme'][:20].lower()!r}"
    return "expected a whole URL such as https://example.com/page"


def _rest(text: str) -> str:
    """Path and query as they go over the wire: spaces and all beyond ASCII percent-encoded."""
    rest = text if text.startswith("/") else f"/{text}"
    return "".join(c if "!" <= c <= "~" else _escaped(c) for c in rest)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))


def _ascii(text: str) -> str:
    """Wide digits, dots of other scripts and the like become what they stand for."""
    folded = unicodedata.normalize("NFKC", text).lower().replace("。", ".")
    name = folded.removesuffix(".")
    if not name or "%" in name:
        raise ValueError(f"{text[:80]!r} is not the name of a host")
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise ValueError(f"{text[:80]!r} is not the name of a host") from error


def _six(text: str) -> str:
    if "%" in text:
        raise ValueError("an address with a zone belongs to this machine's own cables")
    try:
        return str(IPv6Address(text))
    except ValueError as error:
        raise ValueError(f"'[{text[:80]}]' is not an IPv6 address") from error


def _four(labels: list[str]) -> str:
    """Decimal, octal, hexadecimal and short forms, as the C library reads them."""
    numbers = [_number(label) for label in labels]
    *leading, last = numbers
    if len(numbers) > 4 or any(n > 255 for n in leading) or last >= 256 ** (5 - len(numbers)):
        raise ValueError(f"{'.'.join(labels)[:80]!r} is not an IPv4 address")
    value = sum(number << (24 - 8 * place) for place, number in enumerate(leading)) + last
    return str(IPv4Address(value))


def _number(label: str) -> int:
    if not _NUMBER.fullmatch(label) or len(label) > 20:
        raise ValueError(f"{label[:80]!r} is not a part of an IPv4 address")
    lowered = label.lower()
    if lowered.startswith("0x"):
        return int(lowered[2:] or "0", 16)
    octal = len(label) > 1 and label.startswith("0")
    if octal and set(label) - set("01234567"):
        raise ValueError(f"{label[:80]!r} is not a part of an IPv4 address")
    return int(label, 8 if octal else 10)
