"""CPU time and memory of a process and its descendants, as the kernel counts them."""

import os
from collections.abc import Iterator
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_PROC = Path("/proc")


def tree(pid: int) -> Iterator[int]:
    """The process and every live descendant."""
    yield pid
    for children in (_PROC / str(pid) / "task").glob("*/children"):
        try:
            found = children.read_text().split()
        except OSError:
            continue
        for child in found:
            yield from tree(int(child))


def cpu_ms(pid: int) -> float:
    """User and system time, that of reaped children included, so a finished tool process counts."""
    return sum(map(_ticks, tree(pid))) * 1e3 / _TICK


def peak_rss_mb(pid: int) -> float:
    """The most memory that was resident at any time."""
    return sum(map(_peak_kb, tree(pid))) / 1024


def _ticks(pid: int) -> int:
    try:
        stat = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return 0
    # The command may hold spaces and brackets; utime, stime, cutime, cstime follow at fixed places.
    return sum(map(int, stat.rpartition(")")[2].split()[11:15]))


def _peak_kb(pid: int) -> int:
    try:
        status = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0
