"""What the errors of SQLite and of its files mean: what passes by itself, what is damage."""

import errno
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from angelia.errors import DiskFull, LogDamaged, LogPaused, LogUnavailable

Fault = sqlite3.Error | OSError

# Extended codes have the primary one in their lowest byte.
PRIMARY = 0xFF
DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
# Pages that the file should have, and does not.
CUT_OFF = frozenset({sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS})
READ_ONLY = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
PASSING = READ_ONLY | BUSY | {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM}
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})
NO_WRITING = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def meaning(fault: Fault, path: Path, doing: str) -> LogUnavailable:
    """The fault as what a person can do about it."""
    home = path.parent
    if _is_damage(fault):
        return damaged(path, str(fault))
    if is_full(fault, home):
        return DiskFull(f"The disk that holds {home} is full; free some space.")
    if _is_read_only(fault):
        return LogPaused(
            f"The home folder {home} cannot be written ({_words(fault)}); make it writable, or "
            "choose another ANGELIA_HOME."
        )
    if _code(fault) & PRIMARY in PASSING:
        return LogPaused(f"Could not {doing} {path}: {fault}; it is tried again.")
    return LogUnavailable(f"Could not {doing} {path}: {fault}.")


@contextmanager
def explained(path: Path, doing: str) -> Generator[None]:
    """Names the file in whatever goes wrong with it."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise meaning(error, path, doing) from error


def damaged(path: Path, why: str) -> LogDamaged:
    return LogDamaged(
        f"The database {path} is damaged ({why}). Run `angelia recover` while no server works in "
        f"{path.parent}: it keeps the file and brings back all that can be read."
    )


def _code(fault: Fault) -> int:
    """0 where SQLite was not asked, such as with a statement that is none."""
    try:
        return fault.sqlite_errorcode if isinstance(fault, sqlite3.Error) else 0
    except AttributeError:
        return 0


def _is_damage(fault: Fault) -> bool:
    code = _code(fault)
    return code & PRIMARY in DAMAGED or code in CUT_OFF


def passes(fault: Fault) -> bool:
    """Whether it says nothing of the file itself: it is held, or its disk takes nothing."""
    return not _is_damage(fault) and _code(fault) & PRIMARY in PASSING | {sqlite3.SQLITE_FULL}


def is_full(fault: Fault, folder: Path) -> bool:
    if isinstance(fault, OSError):
        return fault.errno in NO_SPACE
    primary = _code(fault) & PRIMARY
    # Of the file that readers and the writer share SQLite only says that it cannot grow.
    unsaid = primary in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
    return primary == sqlite3.SQLITE_FULL or (unsaid and _free(folder) == 0)


def _is_read_only(fault: Fault) -> bool:
    if isinstance(fault, OSError):
        return fault.errno in NO_WRITING
    return _code(fault) & PRIMARY in READ_ONLY


def _free(folder: Path) -> int | None:
    try:
        return os.statvfs(folder).f_bavail
    except OSError:
        return None


def _words(fault: Fault) -> str:
    return fault.strerror or str(fault) if isinstance(fault, OSError) else str(fault)
