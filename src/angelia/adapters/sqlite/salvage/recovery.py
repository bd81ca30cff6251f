"""`angelia recover`: looks at a copy, makes a new database of it, and puts that in its place.

The damaged file is never changed and never deleted: it moves aside under a name of its own.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from angelia.adapters.file_checkpoints import FILE as CHECKPOINTS
from angelia.adapters.sqlite.damage import outer_fault, page_fault
from angelia.adapters.sqlite.faults import explained
from angelia.adapters.sqlite.salvage.prefix import prefixes
from angelia.adapters.sqlite.salvage.readable import count, tables
from angelia.adapters.sqlite.salvage.rebuilding import (
    Rebuilt,
    known_version,
    make_empty,
    newest_version,
    rebuild,
)
from angelia.adapters.sqlite.salvage.specimen import Specimen
from angelia.adapters.sqlite.schema import lock
from angelia.adapters.sqlite.spool import SPOOLS
from angelia.errors import HomeInUse, StorageError
from angelia.ports.storage import Salvage

SIDES = ("-wal", "-shm", *SPOOLS)


def recover(path: Path, checkpoints: Path, now: float, *, dry_run: bool = False) -> Salvage:
    """Raises HomeInUse while somebody works with the file, StorageError if there is none."""
    if not path.exists():
        raise StorageError(f"There is no database at {path}.")
    with (
        explained(path, "recover"),
        _alone(path),
        TemporaryDirectory(dir=path.parent, prefix="recovering-") as folder,
    ):
        salvage = _salvage(path, Path(folder), now, dry_run=dry_run)
        moved = _set_aside(checkpoints / CHECKPOINTS, now, dry_run=dry_run)
    return replace(salvage, checkpoints=moved)


def _salvage(path: Path, folder: Path, now: float, *, dry_run: bool) -> Salvage:
    specimen = Specimen(path, folder)
    damage = outer_fault(path) or _inner_fault(specimen)
    if damage is None:
        with specimen.opened() as connection:
            whole = sum(1 for _ in prefixes(connection))
            return Salvage(str(path), whole=whole, rows=count(connection, tables(connection)))
    new = folder / "new.db"
    rebuilt, rows = _rebuilt(specimen, folder, new)
    kept_as = None if dry_run else str(_replace(path, new, now))
    return Salvage(str(path), damage, kept_as, rebuilt.whole, rebuilt.cut, rebuilt.lost, rows)


def _inner_fault(specimen: Specimen) -> str | None:
    """What neither the beginnings nor the pages show is told by reading every log."""
    with specimen.opened() as connection:
        if (why := page_fault(connection, "integrity_check")) is not None:
            return why
        _refuse_newer(connection)
        try:
            broken = sum(not prefix.complete for prefix in prefixes(connection))
        except sqlite3.Error as error:
            return str(error)
    return f"the logs of {broken} runs cannot be read to their end" if broken else None


def _refuse_newer(connection: Connection) -> None:
    """What a newer version has written looks like damage to this one, and is none."""
    (version,) = connection.execute("pragma user_version").fetchone()
    if version > (known := newest_version()):
        raise StorageError(
            f"The database has format {version}, this version of Angelia knows {known}; upgrade "
            "Angelia. Nothing was changed."
        )


def _rebuilt(specimen: Specimen, folder: Path, new: Path) -> tuple[Rebuilt, dict[str, int]]:
    sound = folder / "sound.db"
    with _created(sound) as connection:
        make_empty(connection, newest_version())
    specimen.mend(sound)
    with specimen.opened() as source, _created(new) as target:
        make_empty(target, _version(source))
        rebuilt = rebuild(source, target, specimen.spool, doubtful=specimen.doubtful)
        if (wrong := page_fault(target, "integrity_check")) is not None:
            raise StorageError(f"The new database is not in order ({wrong}); nothing was changed.")
        return rebuilt, count(target, tables(target))


def _version(source: Connection) -> int:
    try:
        return known_version(source)
    except sqlite3.Error:
        return newest_version()


@contextmanager
def _created(path: Path) -> Generator[Connection]:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def _replace(path: Path, new: Path, now: float) -> Path:
    """A side file never meets a database that it does not belong to."""
    aside = _aside(path, now)
    try:
        os.link(path, aside)
    except OSError:
        shutil.copy2(path, aside)
    for side in SIDES:
        beside = path.with_name(path.name + side)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + side))
    new.replace(path)
    return aside


def _set_aside(path: Path, now: float, *, dry_run: bool) -> str | None:
    """Checkpoints are for undo alone: a store of them that is damaged begins anew."""
    if not path.exists() or not _is_damaged(path):
        return None
    aside = _aside(path, now)
    if not dry_run:
        for side in ("", *SIDES):
            beside = path.with_name(path.name + side)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + side))
    return str(aside)


def _is_damaged(path: Path) -> bool:
    if outer_fault(path) is not None:
        return True
    with closing(sqlite3.connect(path)) as connection:
        return page_fault(connection, "quick_check") is not None


def _aside(path: Path, now: float) -> Path:
    """A second one within a second has a number."""
    moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    name = f"{path.name}.damaged-{moment}"
    others = sum(1 for _ in path.parent.glob(f"{name}*"))
    return path.with_name(f"{name}-{others}" if others else name)


@contextmanager
def _alone(path: Path) -> Generator[None]:
    try:
        descriptor = lock(path)
    except HomeInUse:
        raise HomeInUse(
            "A server works in this home folder; stop it before its database is recovered."
        ) from None
    try:
        yield
    finally:
        os.close(descriptor)
