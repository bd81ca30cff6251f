"""What is looked up once about this machine, so that a command costs no more than it must."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from angelia.adapters.bubblewrap.view import ETC_FILES, ETC_FOLDERS, USER, Place

NAME = "angelia"
PROC = Path("/proc")


def copy_etc(place: Place, source: Path = Path("/etc")) -> None:
    """One folder is mounted faster than twenty files. Made anew at every start."""
    shutil.rmtree(place.etc, ignore_errors=True)
    for name in ETC_FOLDERS:
        (place.etc / name).mkdir(parents=True)
    for name in ETC_FILES:
        _copy(source / name, place.etc / name)
    own = f"{NAME}:x:{USER}:{USER}::{place.workspace}:/bin/bash\n"
    nobody = "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    (place.etc / "passwd").write_text(own + nobody)
    (place.etc / "group").write_text(f"{NAME}:x:{USER}:\nnogroup:x:65534:\n")
    (place.etc / "hosts").write_text("127.0.0.1 localhost sandbox\n::1 localhost\n")


def _copy(source: Path, target: Path) -> None:
    """What is not there or cannot be read is left out."""
    with contextlib.suppress(OSError):
        shutil.copyfile(source, target)


def writable_proc(proc: Path = PROC) -> tuple[Path, ...]:
    """What the owner of /proc may write to beside processes: of the kernel, for root's number."""
    found = (path for path in sorted(proc.iterdir()) if _of_the_kernel(path))
    return tuple(path for path in found if path.name == "sys" or _writable(path))


def _of_the_kernel(path: Path) -> bool:
    return not path.name.isdecimal() and not path.is_symlink()


def _writable(path: Path) -> bool:
    return any(_mode(file) & stat.S_IWUSR for file in _files(path))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for parent, _, names in os.walk(path):
        for name in names:
            yield Path(parent) / name


def _mode(file: Path) -> int:
    try:
        return file.lstat().st_mode
    except OSError:
        return 0
