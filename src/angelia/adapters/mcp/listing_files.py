"""What servers offered when they were last heard, so that nobody has to wait for them to start."""

import asyncio
import contextlib
import os
import tempfile
from hashlib import sha256
from pathlib import Path

import msgspec

from angelia.adapters.mcp.listing import Listing
from angelia.config import McpSettings


class ListingFiles:
    """One file for each server as it is configured: another configuration is another server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def get(self, server: McpSettings) -> Listing | None:
        return await asyncio.to_thread(_read, self._path(server))

    async def put(self, server: McpSettings, listing: Listing) -> None:
        """A disk that is full costs a wait at the next start, no more."""
        with contextlib.suppress(OSError):
            await asyncio.to_thread(_write, self._path(server), msgspec.json.encode(listing))

    async def forget(self, server: McpSettings) -> None:
        with contextlib.suppress(OSError):
            await asyncio.to_thread(self._path(server).unlink, missing_ok=True)

    def _path(self, server: McpSettings) -> Path:
        return self._folder / f"{server.toolset}-{_fingerprint(server)}.json"


def _fingerprint(server: McpSettings) -> str:
    said = (
        server.transport,
        str(server.folder),
        server.command,
        [each.reveal() for each in server.args],
        sorted((name, text.reveal()) for name, text in server.env.items()),
        server.url.reveal(),
        sorted((name, text.reveal()) for name, text in server.headers.items()),
    )
    return sha256(msgspec.json.encode(said)).hexdigest()[:16]


def _read(path: Path) -> Listing | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Listing)
    except (OSError, msgspec.MsgspecError):
        return None


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.replace(file.name, path)  # noqa: PTH105 -- a path of the file that is open
        except OSError:
            Path(file.name).unlink(missing_ok=True)
            raise
