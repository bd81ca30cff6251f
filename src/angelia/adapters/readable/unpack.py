"""Bodies that were packed for the way, unpacked as far as there is room."""

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zlib import _Decompress  # pyright: ignore[reportPrivateUsage]

# What the request says it takes; anything else is sent against our wish.
ACCEPTED = "gzip, deflate"
_GZIP = 16 + zlib.MAX_WBITS
_RAW = -zlib.MAX_WBITS


class Unknown(ValueError):
    """A packing that nobody asked for."""


class Unpacker:
    """Pieces in, unpacked pieces out, never more than `room` bytes in all.

    However small the packed form is, only that much is ever in memory.
    """

    def __init__(self, encoding: str, room: int) -> None:
        """Raises Unknown."""
        self._room = room
        self._encoding = encoding.strip().lower()
        if self._encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise Unknown(self._encoding[:40])
        self._inner = None if self._encoding in ("", "identity") else _opened(self._encoding)
        self._begun = False

    @property
    def is_full(self) -> bool:
        return self._room <= 0

    def feed(self, data: bytes) -> bytes:
        """Raises zlib.error for what is not packed as announced."""
        if self._room <= 0:
            return b""
        inner = self._inner
        out = data[: self._room] if inner is None else self._unpacked(inner, data)
        self._room -= len(out)
        return out

    def _unpacked(self, inner: "_Decompress", data: bytes) -> bytes:
        try:
            out = inner.decompress(data, self._room)
        except zlib.error:
            # Some servers send deflate without its wrapping, which the first bytes tell.
            if self._encoding != "deflate" or self._begun:
                raise
            self._inner = zlib.decompressobj(_RAW)
            out = self._inner.decompress(data, self._room)
        self._begun = True
        return out


def _opened(encoding: str) -> "_Decompress":
    return zlib.decompressobj(zlib.MAX_WBITS if encoding == "deflate" else _GZIP)
