"""Puts a file where another may be, which is kept, with rights that fit what it holds."""

import os
import tempfile
from pathlib import Path

from angelia.errors import StorageError


def read(file: Path) -> str | None:
    """None if there is no file."""
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"{file} cannot be read: {error}") from error


def write(file: Path, text: str, *, private: bool) -> Path | None:
    """Whole or not at all; the name under which the old file is kept, if there was one."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        backup = _backed_up(file)
        # What is there may be a link to where people keep such files.
        real = file.resolve()
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{file.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as new:
            new.write(text)
        # Whoever could not read what was there may not read what comes in its place.
        rights = 0o644 if backup is None else file.stat().st_mode & 0o777
        Path(name).chmod(0o600 if private else rights)
        Path(name).replace(real)
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}") from error
    return backup


def _backed_up(file: Path) -> Path | None:
    if not file.exists():
        return None
    number = 1
    while (backup := file.with_name(f"{file.name}.bak{number}")).exists():
        number += 1
    backup.touch(mode=0o600)
    backup.write_bytes(file.read_bytes())
    return backup
