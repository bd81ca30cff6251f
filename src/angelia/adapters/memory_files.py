"""Files that exist in memory only and are handed to other processes as descriptors."""

import fcntl
import os
import sys
from pathlib import Path

# What is no Linux has no such files; there, nothing is in them and nothing is kept.
_LINUX = sys.platform == "linux"
_FIXED = 0x1 | 0x2 | 0x4  # F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW
_WRITTEN = _FIXED | 0x8  # F_SEAL_WRITE
_ADD_SEALS = 1033


class Sealed:
    """Bytes that nobody can change any more."""

    def __init__(self, name: str, data: bytes) -> None:
        self._fd = _open(name)
        os.write(self._fd, data)
        _seal(self._fd, _WRITTEN)

    def open(self) -> int:
        """A descriptor at the beginning, which the caller closes."""
        return os.open(f"/dev/fd/{self._fd}", os.O_RDONLY | os.O_CLOEXEC)

    def close(self) -> None:
        os.close(self._fd)


class Slate:
    """Room for a few lines, of which the last one counts; it cannot grow."""

    def __init__(self, size: int) -> None:
        self.fd = _open("slate")
        self._size = size
        if _LINUX:
            os.ftruncate(self.fd, size)
        _seal(self.fd, _FIXED)

    def last_line(self) -> str:
        if not _LINUX:
            return ""
        written = os.pread(self.fd, self._size, 0).rstrip(b"\0").removesuffix(b"\n")
        return os.fsdecode(written.rpartition(b"\n")[2])

    def close(self) -> None:
        os.close(self.fd)


def _open(name: str) -> int:
    if sys.platform != "linux":
        return os.open(os.devnull, os.O_RDWR)
    return os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)


def _seal(fd: int, seals: int) -> None:
    if _LINUX:
        fcntl.fcntl(fd, _ADD_SEALS, seals)


def inside(path: str, folder: Path) -> str | None:
    """An absolute path relative to the folder; None for what is not in it or not there."""
    try:
        found = Path(path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
    if not path.startswith("/") or not found.is_dir() or not found.is_relative_to(folder):
        return None
    return found.relative_to(folder).as_posix()
