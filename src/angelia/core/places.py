"""Places on a network, as people write them in lists: hosts, all below a domain, ranges, ports."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from msgspec import Struct

_ENTRY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\s]+|[0-9A-Fa-f:./]+?)(?::(?P<port>\d{1,5}))?")
_NAME = re.compile(r"\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?", re.IGNORECASE)


class Place(Struct, frozen=True):
    """A name, a name with `*.` in front for all below it, `*`, or a range of addresses.

    `port` of None is every port.
    """

    name: str = ""
    network: str = ""
    port: int | None = None

    def names(self, host: str, port: int) -> bool:
        """Whether the host is meant by its name; an address is a name of its own."""
        if self.port not in (None, port):
            return False
        if self.network:
            return _within(host, self.network)
        name = host.lower().rstrip(".")
        if self.name.startswith("*."):
            return name.endswith(self.name[1:])
        return self.name in ("*", name)

    def holds(self, address: str, port: int) -> bool:
        """Whether the address is in the range, if this is one."""
        return self.port in (None, port) and bool(self.network) and _within(address, self.network)


class Places(Struct, frozen=True):
    entries: tuple[Place, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries)

    def names(self, host: str, port: int) -> bool:
        return any(place.names(host, port) for place in self.entries)

    def hold(self, address: str, port: int) -> bool:
        return any(place.holds(address, port) for place in self.entries)

    def single_out(self, host: str, port: int) -> bool:
        """Whether an entry names this very port of the host, not just the host."""
        return any(place.port == port and place.names(host, port) for place in self.entries)


NOWHERE = Places()


def places(entries: Iterable[str]) -> Places:
    """Raises ValueError, which names the entry that is none."""
    return Places(tuple(place(entry) for entry in entries))


def place(entry: str) -> Place:
    text = entry.strip()
    if (network := _network(text)) is not None:
        return Place(network=str(network))
    found = _ENTRY.fullmatch(text)
    if found is None or not 0 < int(found["port"] or 1) < 65536:
        raise _none(entry)
    port = int(found["port"]) if found["port"] else None
    if (network := _network(found["host"].strip("[]"))) is not None:
        return Place(network=str(network), port=port)
    name = found["host"].lower().rstrip(".")
    if not _NAME.fullmatch(name):
        raise _none(entry)
    return Place(name=name, port=port)


def _none(entry: str) -> ValueError:
    return ValueError(
        f"{entry!r} is not a place; expected a host such as 'example.com', '*.example.com', "
        "'example.com:443', an address, or a range such as '10.0.0.0/8'"
    )


def _network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


def _within(address: str, network: str) -> bool:
    try:
        return ip_address(address) in ip_network(network)
    except ValueError:
        return False
