"""The address of the server that works in a home folder: a file that is locked while it holds."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from angelia.adapters.sqlite.faults import explained
from angelia.config.running import ADDRESS_FILE


@contextmanager
def left(home: Path, address: str) -> Generator[None]:
    """Who crashes inside leaves a file that nobody holds, and nobody believes."""
    path = home / ADDRESS_FILE
    with explained(path, "write"):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with explained(path, "write"):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{address}\n".encode())
        yield
    finally:
        # On a disk that nobody can write to it stays, as after a crash.
        with suppress(OSError):
            path.unlink(missing_ok=True)
        os.close(descriptor)
