"""How much a command may use, and the words for it."""

import contextlib
import os
import resource

from msgspec import Struct

MIB = 1024 * 1024
_FILE_TOO_LARGE = 128 + 25
_NICE = 15


class Limits(Struct, frozen=True):
    """`memory` and `disk` in bytes; `disk` holds for one file as well."""

    memory: int = 2048 * MIB
    processes: int = 256
    disk: int = 1024 * MIB

    @property
    def temporary(self) -> int:
        """Temporary files are held in memory."""
        return min(self.memory // 4, self.disk)

    def memory_words(self) -> str:
        return f"it may use at most {in_words(self.memory)} of memory (tools.memory_limit)"

    def process_words(self) -> str:
        return f"it may have at most {self.processes} processes (tools.process_limit)"

    def disk_words(self) -> str:
        return f"it may write at most {in_words(self.disk)} to disk (tools.disk_limit)"

    def file_words(self, code: int) -> str | None:
        if code != _FILE_TOO_LARGE:
            return None
        return f"a file may grow to at most {in_words(self.disk)} (tools.disk_limit)"


def impose(pid: int, limits: Limits, *, alone: bool) -> None:
    """Sets the bounds of a process that has not begun; they hold for all that it starts.

    `alone`: nothing else counts its processes and its memory.
    """
    bounds = {resource.RLIMIT_FSIZE: limits.disk, resource.RLIMIT_CORE: 0}
    if alone:
        bounds |= {
            resource.RLIMIT_NPROC: limits.processes,
            resource.RLIMIT_DATA: limits.memory,
        }
    for which, bound in bounds.items():
        # Who has ended meanwhile needs none.
        with contextlib.suppress(ProcessLookupError):
            _, hard = resource.prlimit(pid, which)
            least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
            resource.prlimit(pid, which, (least, least))
    if alone:
        # Whoever counts them must get to it, however many they are.
        with contextlib.suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, pid, _NICE)


def in_words(size: int) -> str:
    if size % (1024 * MIB) == 0:
        return f"{size // (1024 * MIB)} GiB"
    return f"{size / MIB:g} MiB"
