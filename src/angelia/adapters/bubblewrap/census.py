"""How many processes a namespace has and what they hold, where no control group counts them."""

import contextlib
import os
import resource
from pathlib import Path

from angelia.adapters.bubblewrap.limits import Limits

_PROC = Path("/proc")


def beyond(first: int, limits: Limits) -> str | None:
    """The bound that the namespace of `first` has met, in words."""
    pids = residents(first)
    if len(pids) >= limits.processes:
        return limits.process_words()
    if sum(_resident(pid) for pid in pids) > limits.memory:
        return limits.memory_words()
    return None


def residents(first: int) -> list[int]:
    space = _space(first)
    pids = (int(name) for name in os.listdir(_PROC) if name.isdecimal())  # noqa: PTH208 -- names
    return [pid for pid in pids if space is not None and _space(pid) == space]


def unlinked(first: int) -> int:
    """Bytes of files that have no name any more and are still held open."""
    found: dict[tuple[int, int], int] = {}
    for pid in residents(first):
        with contextlib.suppress(OSError):
            for fd in (_PROC / str(pid) / "fd").iterdir():
                with contextlib.suppress(OSError):
                    status = fd.stat()
                    if status.st_nlink == 0:
                        found[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(found.values())


def _space(pid: int) -> str | None:
    try:
        return (_PROC / str(pid) / "ns" / "pid").readlink().name
    except OSError:
        return None


def _resident(pid: int) -> int:
    try:
        pages = (_PROC / str(pid) / "statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()
