"""Who can reach an address."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it; a name other than `localhost` may be anything."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
