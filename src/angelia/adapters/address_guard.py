"""Which addresses may be asked on behalf of a model or a client.

Every request that somebody outside can cause passes here: pages, webhooks, and what sandboxes ask
through the proxy. Whoever connects takes the addresses that come back, and looks nothing up again.
"""

from angelia.core.places import NOWHERE, Places
from angelia.ports.names import Names
from angelia.wire import urls
from angelia.wire.addresses import is_metadata, is_public, is_surely_private

# Services that take commands from anybody who can send them a line of text.
# fmt: off
BARRED_PORTS = frozenset((
    19, 21, 22, 23, 25, 53, 110, 111, 119, 135, 139, 143, 389, 445, 465, 514, 587, 636, 993, 995,
    2049, 2375, 3306, 3389, 5432, 5900, 6379, 6667, 9200, 11211, 27017,
))
# fmt: on


class NotAdmitted(Exception):
    """The place must not be asked; the message says why, in words for a model."""


class AddressGuard:
    """`private` of True lets private addresses pass, all but those where clouds keep secrets."""

    def __init__(self, names: Names, private: Places | bool = False) -> None:
        self._names = names
        self._all = private is True
        self._places = NOWHERE if isinstance(private, bool) else private

    async def admit(self, host: str, port: int, named: Places = NOWHERE) -> tuple[str, ...]:
        """The addresses to connect to, of those that the name means. Raises NotAdmitted.

        `named` are places whose ports somebody chose on purpose.
        """
        try:
            plain = urls.host(f"[{host}]" if ":" in host else host)
        except ValueError as error:
            raise NotAdmitted(f"{error}.") from error
        self._refuse_port(plain, port, named)
        found = await self._found(plain, port)
        fit = tuple(address for address in found if self._is_fit(plain, address, port))
        if not fit:
            raise NotAdmitted(_why(plain, found))
        return fit

    def _refuse_port(self, host: str, port: int, named: Places) -> None:
        chosen = self._places.single_out(host, port) or named.single_out(host, port)
        if port in BARRED_PORTS and not chosen:
            raise NotAdmitted(f"Port {port} belongs to a service that is not asked over the web.")

    async def _found(self, host: str, port: int) -> tuple[str, ...]:
        """What is surely private is not even looked up."""
        if _is_address(host):
            return (host,)
        if is_surely_private(host) and not (self._all or self._places.names(host, port)):
            raise NotAdmitted(_private(host))
        return await self._names.find(host)

    def _is_fit(self, host: str, address: str, port: int) -> bool:
        if is_public(address):
            return True
        if self._places.names(host, port) or self._places.hold(address, port):
            return True
        return self._all and not is_metadata(address)


def _is_address(host: str) -> bool:
    try:
        is_public(host)
    except ValueError:
        return False
    return True


def _why(host: str, found: tuple[str, ...]) -> str:
    return _private(host) if found else f"Nobody knows a host named {host!r}."


def _private(host: str) -> str:
    return (
        f"{host!r} leads to a private address, which this server does not ask. Its operator can "
        "allow it: allow_private in the section [web] of angelia.toml."
    )
