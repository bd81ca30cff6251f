"""CPU time and memory of a process and its descendants, as the kernel counts them."""

import os
import time
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
    return sum(_own_ms(each) + _reaped_ms(each) for each in tree(pid))


def rss_mb(pid: int) -> float:
    """The memory that is resident now."""
    return sum(_kb(each, "VmRSS:") for each in tree(pid)) / 1024


def peak_rss_mb(pid: int) -> float:
    """The most memory that was resident at any time."""
    return sum(_kb(each, "VmHWM:") for each in tree(pid)) / 1024


def _own_ms(pid: int) -> float:
    """Of all its threads, dead ones too: the clock that `clock_getcpuclockid` names, in ns."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) / 1e6
    except OSError:
        return 0.0


def _reaped_ms(pid: int) -> float:
    try:
        stat = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return 0.0
    # The command may hold spaces and brackets; cutime and cstime follow it at fixed places.
    return sum(map(int, stat.rpartition(")")[2].split()[13:15])) * 1e3 / _TICK


def _kb(pid: int, name: str) -> int:
    try:
        status = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    return 0
