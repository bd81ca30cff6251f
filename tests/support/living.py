"""Which processes of this machine are alive, in whatever namespace they think to be alone."""

import itertools
import os
import time
from pathlib import Path

from tests.support.following import PATIENCE

_numbers = itertools.count(1)


def naps() -> str:
    """A command that does nothing for long, and that no other test knows."""
    return f"sleep {1_000_000 + os.getpid() % 100_000}.{next(_numbers):04d}"


def living(command: str) -> list[int]:
    """The processes that were started with just these words."""
    wanted = command.encode().split()
    return [
        int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline") if _is(path, wanted)
    ]


def _is(path: Path, wanted: list[bytes]) -> bool:
    try:
        if path.read_bytes().rstrip(b"\0").split(b"\0") != wanted:
            return False
        state = (path.parent / "stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:
        return False
    return state not in (b"Z", b"X")


def until_living(command: str, *, wanted: bool = True) -> None:
    """Returns when it is alive, or when it is not."""
    deadline = time.monotonic() + PATIENCE
    while bool(living(command)) != wanted:
        assert time.monotonic() < deadline, f"{command} is {'not ' * wanted}alive"
        time.sleep(0.01)
