"""Opening the file: its lock, its connections, and the migrations that bring it up to date."""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Connection

from angelia.adapters.sqlite.search import marked
from angelia.adapters.words import holds
from angelia.errors import HomeInUse

MIGRATIONS = Path(__file__).parent / "migrations"
OLDEST_SQLITE = (3, 33)
BUSY_SECONDS = 5.0
CACHE_KIB = 16 * 1024
WAL_BYTES_KEPT = 8 * 1024 * 1024


def lock(path: Path) -> int:
    """A descriptor that holds the right to write until it is closed."""
    descriptor = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise HomeInUse(
            "Another Angelia uses this home folder; talk to it over HTTP or choose another "
            "ANGELIA_HOME."
        ) from None
    return descriptor


def connect_writer(path: Path) -> Connection:
    # The side files get the permissions of the database, so it must never be wider than this.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = _connect(path)
    make_known(connection)
    return connection


def make_known(connection: Connection) -> None:
    """The functions that triggers and views call; whoever changes runs needs them."""
    connection.create_function("marked", 2, marked, deterministic=True)


def prepare(connection: Connection) -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise sqlite3.NotSupportedError(f"SQLite {sqlite3.sqlite_version} is older than 3.33")
    (mode,) = connection.execute("pragma journal_mode = wal").fetchone()
    if mode != "wal":
        raise sqlite3.OperationalError(f"its file system offers {mode!r}, not write-ahead logs")
    # The writer checkpoints by itself, after it has delivered.
    connection.execute("pragma wal_autocheckpoint = 0")
    connection.execute(f"pragma journal_size_limit = {WAL_BYTES_KEPT}")
    connection.execute(f"pragma cache_size = -{CACHE_KIB}")
    # What a power cut undoes is done again at the next start; the writer chooses for itself.
    connection.execute("pragma synchronous = normal")
    migrate(connection, sorted(MIGRATIONS.glob("*.sql")))


def connect_reader(path: Path) -> Connection:
    connection = _connect(path)
    connection.execute("pragma query_only = 1")
    connection.create_function("holds", 2, holds, deterministic=True)
    return connection


def _connect(path: Path) -> Connection:
    # Connections are opened in one thread and used in another, never in two at once.
    return sqlite3.connect(
        path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=128,
    )


def migrate(connection: Connection, scripts: Sequence[Path]) -> None:
    """Each script in a transaction of its own, counted in `user_version`."""
    (version,) = connection.execute("pragma user_version").fetchone()
    if version > len(scripts):
        raise sqlite3.DatabaseError(
            f"it has format {version}, this version of Angelia knows {len(scripts)}; "
            "upgrade Angelia or choose another ANGELIA_HOME"
        )
    for number, script in enumerate(scripts[version:], version + 1):
        _apply(connection, script.read_text(), number)


def _apply(connection: Connection, script: str, number: int) -> None:
    try:
        connection.executescript(
            f"begin immediate;\n{script}\n;pragma user_version = {number};\ncommit;"
        )
    except sqlite3.Error:
        if connection.in_transaction:
            connection.rollback()
        raise
