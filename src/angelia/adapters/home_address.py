"""The address of the server that works in a home folder: a file that is locked while it holds."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from angelia.config.running import ADDRESS_FILE


@contextmanager
def left(home: Path, address: str) -> Generator[None]:
    """Who crashes inside leaves a file that nobody holds, and nobody believes."""
    path = home / ADDRESS_FILE
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{address}\n".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)
