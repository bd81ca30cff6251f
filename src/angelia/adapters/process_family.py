"""Everything a command started, found by a mark in the environment or by descent, and its end."""

import asyncio
import contextlib
import hashlib
import os
import signal
import sys
import time
from pathlib import Path

from msgspec import Struct

VARIABLE = "ANGELIA_CALL"
OWNER = "ANGELIA_OWNER"
PAUSE = 0.002
ATTEMPTS = 500
# A look around is no snapshot: who forks and dies meanwhile leaves a child that was not seen.
# In the middle of an exec the mark cannot be seen either.
LOOKS = 3

_PROC = Path("/proc")


class _Process(Struct, frozen=True):
    pid: int
    parent: int
    session: int
    environment: bytes


async def kill_family(root: int, mark: str) -> None:
    """Kills the process group and session of `root`, its descendants and all who bear the mark.

    `root` is not reaped yet. Returns when all of them are dead; only what the kernel itself holds
    up can outlast the attempts.
    """
    looks = 0
    for _ in range(ATTEMPTS):
        # Thousands of processes take a while to look at.
        family = await asyncio.to_thread(members, root, mark)
        kill_group(root)
        for pid in family:
            _kill(pid)
        looks = 0 if family else looks + 1
        if looks == LOOKS:
            return
        await asyncio.sleep(PAUSE)


def members(root: int, mark: str) -> set[int]:
    """The living, as far as the system lets one look; nobody where there is no /proc."""
    if sys.platform != "linux":
        return set()
    needle = f"\0{VARIABLE}={mark}\0".encode()
    alive = [process for pid in _pids() if (process := _look(pid)) is not None]
    found = {p.pid for p in alive if root in (p.pid, p.session) or needle in p.environment}
    heirs = found
    while heirs:
        heirs = {p.pid for p in alive if p.parent in heirs} - found
        found = found | heirs
    return found


def owner_of(home: Path) -> str:
    """The mark of everything that is started on behalf of a home folder."""
    return hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:16]


def kill_orphans(owner: str) -> None:
    """Kills what a server that died without an end has left behind; they are dead then.

    Only for whoever holds the home folder: nobody else's processes bear its mark.
    """
    if sys.platform != "linux":
        return
    needle = f"\0{OWNER}={owner}\0".encode()
    spared = _line_of(os.getpid())
    for _ in range(ATTEMPTS):
        found = [pid for pid in _pids() if pid not in spared and needle in _environment(pid)]
        for pid in found:
            _kill(pid)
        if not found:
            return
        time.sleep(PAUSE)


def _line_of(pid: int) -> set[int]:
    """The process and those it descends from."""
    line: set[int] = set()
    while pid and (process := _look(pid)) is not None:
        line.add(pid)
        pid = process.parent
    return line


def _pids() -> list[int]:
    return [int(name) for name in os.listdir(_PROC) if name.isdecimal()]  # noqa: PTH208 -- names only


def _look(pid: int) -> _Process | None:
    """None for the dead. What belongs to others shows its descent but not its environment."""
    try:
        stat = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The name in parentheses may contain anything, parentheses too.
    state, parent, _group, session, *_ = stat.rpartition(b")")[2].split(maxsplit=4)
    if state in (b"Z", b"X"):
        return None
    return _Process(pid, int(parent), int(session), _environment(pid))


def _environment(pid: int) -> bytes:
    """Every variable between two zero bytes."""
    try:
        return b"\0" + (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""


def kill_group(root: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(root, signal.SIGKILL)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
