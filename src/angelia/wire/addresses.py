"""Which addresses belong to the open internet, and which to this machine or its surroundings."""

import ipaddress
from ipaddress import IPv4Address, IPv6Address, IPv6Network

# Translators let IPv6 reach IPv4: the last 32 bits are the address that is really meant.
_TRANSLATED = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether the address, or the one that it wraps, is of the open internet.

    Raises ValueError for what is not an address.
    """
    meant = _meant(ipaddress.ip_address(address))
    closed = meant.is_multicast or meant.is_reserved or meant.is_unspecified
    return meant.is_global and not closed


def is_surely_private(host: str) -> bool:
    """Whether a host needs no look-up to be known as not of the open internet."""
    name = host.strip("[]").rstrip(".").lower()
    try:
        return not is_public(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(address, IPv4Address):
        return address
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    tunnelled = address.teredo[1] if address.teredo else None
    return address.ipv4_mapped or address.sixtofour or tunnelled or address
