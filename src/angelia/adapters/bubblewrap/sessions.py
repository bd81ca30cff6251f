"""What the commands of a session share: a network of their own and their temporary files.

Both are namespaces, made by a process that lives for a moment and held by descriptors of this
process alone: with it they are gone, whatever ends it.
"""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from angelia.adapters.bubblewrap import listener
from angelia.adapters.bubblewrap.limits import Limits
from angelia.adapters.bubblewrap.relay import Relay
from angelia.adapters.bubblewrap.view import Place
from angelia.errors import ToolError

# Sessions without a command under way that are kept; the one used longest ago goes first.
IDLE = 64
# What the names of sessions begin with that are for one command only.
UNNAMED = "\0"
_NAMESPACES = ("user", "net", "mnt")


class Birth(Struct, frozen=True, rename="kebab"):
    """What bubblewrap says of the first process in it."""

    child_pid: int


class Session:
    """`entry` is what a command line begins with to run in it."""

    def __init__(self, fds: Sequence[int], relay: Relay | None) -> None:
        self._fds = fds
        self._relay = relay
        user, net, mnt = (f"/proc/{os.getpid()}/fd/{fd}" for fd in fds)
        spaces = (f"--user={user}", f"--net={net}", f"--mount={mnt}")
        # By path, not by descriptor: none of them is passed on to the command.
        self.entry = ("nsenter", *spaces, "--preserve-credentials", "--")

    async def close(self) -> None:
        for fd in self._fds:
            os.close(fd)
        if self._relay is not None:
            await self._relay.close()


class _Place:
    """A session and how many commands are in it."""

    def __init__(self, opening: asyncio.Task[Session]) -> None:
        self.opening = opening
        self.commands = 0


class Sessions:
    """Opened with their first command."""

    def __init__(self, bwrap: str, place: Place, limits: Limits, egress: Path | None) -> None:
        self._bwrap = bwrap
        self._place = place
        self._limits = limits
        self._egress = egress
        self._open: dict[str, _Place] = {}

    async def enter(self, name: str) -> Session:
        """Every entry needs a `step_out`. Raises ToolError if it cannot be opened."""
        known = self._open.pop(name, None)
        if known is None:
            known = _Place(asyncio.create_task(self._make()))
        # At the end: the order is that of use.
        self._open[name] = known
        known.commands += 1
        try:
            return await asyncio.shield(known.opening)
        except (ToolError, asyncio.CancelledError):
            self.step_out(name)
            if known.opening.done() and self._open.get(name) is known:
                del self._open[name]
            raise

    def step_out(self, name: str) -> None:
        if name in self._open:
            self._open[name].commands -= 1

    async def tidy(self) -> None:
        """Gives up what is not used, as far as it is not kept for its next command."""
        idle = [name for name, place in self._open.items() if place.commands == 0]
        over = [name for name in idle if name.startswith(UNNAMED)]
        kept = [name for name in idle if not name.startswith(UNNAMED)]
        for name in (*over, *kept[: max(0, len(kept) - IDLE)]):
            await self.leave(name)

    async def leave(self, name: str) -> None:
        place = self._open.pop(name, None)
        if place is not None:
            with contextlib.suppress(ToolError):
                await (await place.opening).close()

    async def close(self) -> None:
        for name in tuple(self._open):
            await self.leave(name)

    async def _make(self) -> Session:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        told, tell = os.pipe()
        try:
            process = self._start(theirs.fileno(), tell)
        except OSError as error:
            ours.close()
            os.close(told)
            raise ToolError(f"The session could not be opened: {error}") from error
        finally:
            theirs.close()
            os.close(tell)
        try:
            return await self._made(ours, told)
        except (OSError, msgspec.MsgspecError) as error:
            ours.close()
            words = _last_words(process) or error
            raise ToolError(f"The session could not be opened: {words}") from error
        finally:
            ours.close()
            os.close(told)
            process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()

    async def _made(self, ours: socket.socket, told: int) -> Session:
        """Raises OSError if the other side ends early."""
        if self._egress is None:
            await asyncio.get_running_loop().sock_sendall(ours, b"x")
        said = await read_all(told)
        await _readable(ours)
        answer, passed, _, _ = socket.recv_fds(ours, 1, 1)
        if not answer:
            raise ConnectionError("it ended early")
        pid = msgspec.json.decode(said, type=Birth).child_pid
        fds = [os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY) for name in _NAMESPACES]
        return Session(fds, await self._relay(passed))

    async def _relay(self, passed: Sequence[int]) -> Relay | None:
        if self._egress is None:
            return None
        listening = socket.socket(fileno=passed[0])
        listening.setblocking(False)
        relay = Relay(listening, self._egress)
        await relay.open()
        return relay

    def _start(self, theirs: int, tell: int) -> subprocess.Popen[bytes]:
        common = str(self._place.common)
        view = ["--dev-bind", "/", "/", "--size", str(self._limits.temporary)]
        view += ["--perms", "1777", "--tmpfs", common]
        # What `cat` sends back says that it is there, in its namespaces.
        inner = ["cat"]
        if self._egress is not None:
            inner = [sys.executable, "-I", "-S", listener.__file__]
        flags = ["--unshare-user", "--unshare-net", "--die-with-parent", *view]
        return subprocess.Popen(  # noqa: S603 -- our own
            [self._bwrap, *flags, "--info-fd", str(tell), "--", *inner],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            pass_fds=(tell,),
            env={"PATH": os.environ.get("PATH", os.defpath)},
            start_new_session=True,
        )


def _last_words(process: subprocess.Popen[bytes]) -> str:
    process.kill()
    return process.stderr.read().decode(errors="replace").strip() if process.stderr else ""


async def read_all(fd: int) -> bytes:
    """All that is written until the other end is closed."""
    os.set_blocking(fd, False)
    data = b""
    while True:
        try:
            piece = os.read(fd, 4096)
        except BlockingIOError:
            await _readable(fd)
            continue
        if not piece:
            return data
        data += piece


async def _readable(file: "int | socket.socket") -> None:
    loop = asyncio.get_running_loop()
    news = asyncio.Event()
    loop.add_reader(file, news.set)
    try:
        await news.wait()
    finally:
        loop.remove_reader(file)
