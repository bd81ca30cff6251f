"""The way out of a sandbox: an HTTP proxy on a socket file, for the places that are allowed.

Whoever connects names a place. It is looked up here, the guard looks at what it means, and the
connection goes to the very address that was looked at. What passes through is not looked into.
"""

import asyncio
import contextlib
import logging
import stat
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from angelia.adapters.address_guard import AddressGuard, NotAdmitted
from angelia.adapters.splice import splice
from angelia.adapters.system_names import SystemNames
from angelia.core.places import places
from angelia.errors import StorageError
from angelia.wire import proxying
from angelia.wire.proxying import ESTABLISHED, MAX_HEAD, Passage

# The system takes no longer name of a socket.
LONGEST_PATH = 107
LINGERING = 2.0

_log = logging.getLogger(__name__)


class Bounds(Struct, frozen=True):
    """Seconds, but for the number of connections at a time."""

    connections: int = 256
    asking: float = 15.0
    connecting: float = 15.0
    idle: float = 300.0


class _Refused(Exception):
    def __init__(self, status: int, words: str, why: str) -> None:
        super().__init__(why)
        self.answer = proxying.answer(status, words, why)


class EgressProxy:
    """`allowed` are places such as `wheels.example`, `*.files.example`, `registry.example:443`.

    `*` is everything that the guard admits. Raises ValueError for an entry that is no place.
    """

    def __init__(
        self,
        path: Path,
        allowed: Sequence[str],
        guard: AddressGuard | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        self.path = path
        self._allowed = places(allowed)
        self._guard = guard or AddressGuard(SystemNames())
        self._bounds = bounds or Bounds()
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Takes the place of a socket that a dead process left behind."""
        if len(str(self.path).encode()) > LONGEST_PATH:
            raise StorageError(f"{self.path}: the name is too long for a socket.")
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISSOCK(self.path.lstat().st_mode):
                self.path.unlink()
        self._server = await asyncio.start_unix_server(self._serve, self.path, limit=MAX_HEAD)
        self.path.chmod(0o600)

    async def close(self) -> None:
        """Every connection is broken off, and the socket is gone."""
        if self._server is None:
            return
        self._server.close()
        for task in self._serving:
            task.cancel()
        if self._serving:
            await asyncio.wait(self._serving)
        await self._server.wait_closed()
        self._server = None
        self.path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            return
        self._serving.add(task)
        try:
            await self._pass(reader, writer)
        except (OSError, TimeoutError):
            _log.debug("A connection through the proxy was broken off.")
        except asyncio.CancelledError:
            # Nobody awaits this task but the proxy itself, which ends it.
            pass
        finally:
            self._serving.discard(task)
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await self._opened(await self._passage(reader))
        except _Refused as refused:
            writer.write(refused.answer)
            await self._seen_off(reader, writer)
            return
        passage, far_reader, far_writer = there
        try:
            if passage.head:
                far_writer.write(passage.head)
            else:
                writer.write(ESTABLISHED)
            await splice((reader, writer), (far_reader, far_writer), self._bounds.idle)
        finally:
            far_writer.transport.abort()

    async def _seen_off(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Whoever still talks when the connection is closed would not get the answer."""
        async with asyncio.timeout(LINGERING):
            await writer.drain()
            writer.write_eof()
            while await reader.read(MAX_HEAD):
                pass

    async def _passage(self, reader: asyncio.StreamReader) -> Passage:
        if len(self._serving) > 2 * self._bounds.connections:
            raise ConnectionAbortedError
        if len(self._serving) > self._bounds.connections:
            raise _Refused(503, "Service Unavailable", "Too many connections; try again later.")
        try:
            async with asyncio.timeout(self._bounds.asking):
                head = await reader.readuntil(b"\r\n\r\n")
            return proxying.parse(head)
        except asyncio.LimitOverrunError as error:
            why = f"The head of a request may have {MAX_HEAD:,} bytes."
            raise _Refused(431, "Request Header Fields Too Large", why) from error
        except (TimeoutError, asyncio.IncompleteReadError) as error:
            raise _Refused(408, "Request Timeout", "The request has no end.") from error
        except ValueError as error:
            raise _Refused(400, "Bad Request", f"{error}.") from error

    async def _opened(
        self, passage: Passage
    ) -> tuple[Passage, asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = passage.host, passage.port
        if not self._allowed.names(host, port):
            why = f"{host}:{port} is not among the places in tools.network of angelia.toml."
            raise _Refused(403, "Forbidden", why)
        try:
            async with asyncio.timeout(self._bounds.connecting):
                found = await self._guard.admit(host, port, named=self._allowed)
                return passage, *await _connected(found, port)
        except NotAdmitted as error:
            raise _Refused(403, "Forbidden", str(error)) from error
        except (OSError, TimeoutError) as error:
            raise _Refused(502, "Bad Gateway", f"{host}:{port} cannot be reached.") from error


async def _connected(
    addresses: Sequence[str], port: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """The first that answers. Raises OSError if none does."""
    for address in addresses[:-1]:
        with contextlib.suppress(OSError):
            return await asyncio.open_connection(address, port)
    return await asyncio.open_connection(addresses[-1], port)
