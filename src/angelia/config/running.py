"""Where the server of a home folder listens, for whoever talks to it instead."""

import fcntl
import os
from pathlib import Path

from angelia.config.settings import Settings
from angelia.errors import AngeliaError

KEY_FILE = "key"
# What a server that runs leaves in its home folder, locked for as long as it listens.
ADDRESS_FILE = "address"


def running_at(settings: Settings) -> tuple[str, str]:
    """The address and the key of the server that works in this home folder."""
    try:
        return address_of(settings), (settings.home / KEY_FILE).read_text().strip()
    except OSError as error:
        raise AngeliaError(
            f"{settings.home} is in use, and its key cannot be read: {error.strerror}."
        ) from error


def address_of(settings: Settings) -> str:
    """Where this machine reaches the server: where it says that it is, else as configured."""
    return left_in(settings.home) or _configured(settings)


def left_in(home: Path) -> str | None:
    """The address that a server has left; None if there is none, or it has gone since."""
    try:
        descriptor = os.open(home / ADDRESS_FILE, os.O_RDONLY)
    except OSError:
        return None
    with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return file.read().strip() or None
    return None


def _configured(settings: Settings) -> str:
    host = settings.server.host
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- read, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.server.port}"
