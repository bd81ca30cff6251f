"""Which addresses belong to the open internet, and which to this machine or its surroundings."""

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

# Translators let IPv6 reach IPv4: the last 32 bits are the address that is really meant.
_TRANSLATED = IPv6Network("64:ff9b::/96")
# All that IPv6 has given out; what lies elsewhere is local, special or nobody's.
_GIVEN_OUT = IPv6Network("2000::/3")
# Not every version of Python knows that these are not of the open internet.
_SPECIAL = (
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv6Network("2001::/23"),
    IPv6Network("3fff::/20"),
)
# Where clouds tell a machine its secrets. The first of them looks like any public address.
_METADATA = tuple(
    ipaddress.ip_address(address)
    for address in (
        "168.63.129.16",
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "192.0.0.192",
        "100.100.100.200",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
)


def is_public(address: str) -> bool:
    """Whether the address, or the one that it wraps, is of the open internet.

    Raises ValueError for what is not an address.
    """
    meant = _meant(ipaddress.ip_address(address))
    if meant in _METADATA or any(meant in network for network in _SPECIAL):
        return False
    if isinstance(meant, IPv6Address) and meant not in _GIVEN_OUT:
        return False
    closed = meant.is_multicast or meant.is_reserved or meant.is_unspecified
    return meant.is_global and not closed


def is_metadata(address: str) -> bool:
    """Whether a cloud tells its machines secrets there. Raises ValueError as `is_public` does."""
    return _meant(ipaddress.ip_address(address)) in _METADATA


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
    # A zone says which cable is meant, not which address.
    return address.ipv4_mapped or address.sixtofour or IPv6Address(int(address))
