"""Runs an MCP server and ends with it: a script of its own, `keeper.py PARENT COMMAND ARGUMENT…`.

Above: nobody imports this. Whatever the server leaves behind in its process group ends when the
server does, and all of it ends when the process dies that wanted it, however that dies.
"""

import contextlib
import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
# The shell's word for a command that cannot be run.
_CANNOT_RUN = 126


def main(parent: int, command: list[str]) -> None:
    signal.signal(signal.SIGUSR2, _end_all)
    # A polite stop is for the server; this process goes when the server has gone.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(signal.SIGUSR2)
    if os.getppid() != parent:
        _end_all()
    try:
        server = os.posix_spawnp(
            command[0],
            command,
            os.environ,
            setsigdef=(signal.SIGTERM, signal.SIGINT, signal.SIGUSR2, signal.SIGPIPE),
        )
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(_CANNOT_RUN)
    # The server has the pipes; their ends must be seen on the other side.
    for pipe in (0, 1, 2):
        os.close(pipe)
    os.waitpid(server, 0)
    _end_all()


def _end_with(number: int) -> None:
    """Where the system knows no such thing, the pipes tell the server."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


def _end_all(*_: object) -> None:
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
