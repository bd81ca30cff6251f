"""Where the server of a home folder listens, for whoever talks to it instead."""

from angelia.config.settings import Settings
from angelia.errors import AngeliaError

KEY_FILE = "key"


def running_at(settings: Settings) -> tuple[str, str]:
    """The address and the key of the server that works in this home folder."""
    host = settings.server.host
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- read, not bound
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.server.port}"
    try:
        return url, (settings.home / KEY_FILE).read_text().strip()
    except OSError as error:
        raise AngeliaError(
            f"{settings.home} is in use, and its key cannot be read: {error.strerror}."
        ) from error
