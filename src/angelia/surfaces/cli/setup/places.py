"""Where a model may come from: servers of this machine, vendors, an address of one's own."""

from collections.abc import Mapping, Sequence
from typing import get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, ValidationError

from angelia.config import VENDORS, Protocol, Vendor, is_loopback
from angelia.errors import RequestError
from angelia.surfaces.cli.local import KNOWN, Found, place
from angelia.surfaces.cli.setup.draft import own_name

_TITLES = {"openai": "OpenAI", "anthropic": "Anthropic", "openrouter": "OpenRouter"}


class Place(Struct, frozen=True):
    """`base_url` of None is known by the name. `variable` holds a key, and is set.

    `needs_key` says that nothing goes without one; `usual` is a model that most begin with.
    """

    name: str
    title: str
    address: str
    base_url: str | None
    protocol: Protocol
    variable: str | None = None
    needs_key: bool = False
    may_need_key: bool = False
    usual: str | None = None

    @property
    def line(self) -> str:
        """For a list to choose from."""
        host = urlsplit(self.address).netloc
        known = f", {self.variable} is set" if self.variable else ""
        return f"{self.title} at {host}{known}"


def candidates(found: Sequence[Found], environ: Mapping[str, str]) -> list[Place]:
    """What can be used at once comes first."""
    vendors = [_of_vendor(vendor, environ) for vendor in VENDORS]
    return [
        *(_of_server(server) for server in found),
        *(place for place in vendors if place.variable),
        *(place for place in vendors if not place.variable),
    ]


def named(name: str, among: Sequence[Place]) -> Place | None:
    """One that is known by its name, whether or not it was found."""
    there = next((place for place in among if place.name == name), None)
    port = next((port for port, server in KNOWN.items() if server.name == name), None)
    if there is not None or port is None:
        return there
    server, base_url = place(port)
    return Place(server.name, server.title, base_url, base_url, "chat")


def custom(base_url: str, protocol: str | None, name: str | None = None) -> Place:
    """An address of one's own. Raises RequestError."""
    try:
        host = urlsplit(base_url).hostname or "provider"
    except ValueError:
        raise RequestError(f"{base_url!r} is not a valid address.") from None
    plain = "local" if is_loopback(host) else own_name(host.replace(".", "-"))
    spoken = checked_protocol(protocol) or "chat"
    title = name or "the server"
    return Place(name or plain, title, base_url, base_url, spoken, may_need_key=True)


def checked_protocol(given: str | None) -> Protocol | None:
    """Raises RequestError."""
    if given is None:
        return None
    try:
        return msgspec.convert(given, Protocol)
    except ValidationError:
        known = ", ".join(get_args(Protocol))
        raise RequestError(f"There is no protocol {given!r}; there are: {known}.") from None


def _of_server(found: Found) -> Place:
    return Place(found.name, found.title, found.base_url, found.base_url, "chat")


def _of_vendor(vendor: Vendor, environ: Mapping[str, str]) -> Place:
    return Place(
        vendor.name,
        _TITLES[vendor.name],
        vendor.base_url,
        None,
        vendor.protocols[0],
        variable=vendor.variable if vendor.keys(environ) else None,
        needs_key=True,
        usual=vendor.model,
    )
