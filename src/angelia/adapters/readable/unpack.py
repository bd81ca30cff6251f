"""Bodies that were packed for the way, unpacked as far as there is room."""

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zlib import _Decompress  # pyright: ignore[reportPrivateUsage]

# What the request says it takes; anything else is sent against our wish.
ACCEPTED = "gzip, deflate"
_GZIP = 16 + zlib.MAX_WBITS
_KNOWN = ("", "identity", "gzip", "x-gzip", "deflate")


class Unknown(ValueError):
    """A packing that nobody asked for."""


class Unpacker:
    """Pieces in, unpacked pieces out, never more than `room` bytes in all.

    However small the packed form is, only that much is ever in memory.
    """

    def __init__(self, encoding: str, room: int) -> None:
        """Raises Unknown."""
        self._encoding = encoding.strip().lower()
        if self._encoding not in _KNOWN:
            raise Unknown(self._encoding[:40])
        self._room = room
        self._is_plain = self._encoding in ("", "identity")
        self._inner: _Decompress | None = None
        self._held = b""

    @property
    def is_full(self) -> bool:
        return self._room <= 0

    def feed(self, data: bytes) -> bytes:
        """Raises zlib.error for what is not packed as announced."""
        if self._room <= 0:
            return b""
        out = data[: self._room] if self._is_plain else self._unpacked(data)
        self._room -= len(out)
        return out

    def _unpacked(self, data: bytes) -> bytes:
        if self._inner is None:
            self._held += data
            if len(self._held) < 2:
                return b""
            self._inner, data = zlib.decompressobj(_window(self._encoding, self._held)), self._held
            self._held = b""
        return self._inner.decompress(data, self._room)


def _window(encoding: str, head: bytes) -> int:
    """Some servers send deflate without its wrapping, which the first two bytes tell."""
    if encoding != "deflate":
        return _GZIP
    is_wrapped = head[0] & 0x0F == 8 and int.from_bytes(head[:2]) % 31 == 0
    return zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS
