"""The home folder's own key: a file that only its owner can read."""

import os
from pathlib import Path

from angelia.adapters.sqlite.faults import explained
from angelia.config.running import KEY_FILE


def read(home: Path) -> str | None:
    try:
        return (home / KEY_FILE).read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None


def write(home: Path, secret: str) -> None:
    """Never readable by others, not even for a moment."""
    path = home / KEY_FILE
    with explained(path, "write"):
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(secret + "\n")
