"""What a command printed: kept within bounds, cut only between characters."""

KEPT = 1024 * 1024


def split_whole(data: bytes) -> tuple[bytes, bytes]:
    """Whole UTF-8 characters, and the beginning of one that is cut off at the end."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if not _continues(byte):
            return (data[:-back], data[-back:]) if _length(byte) > back else (data, b"")
    return data, b""


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _length(first: int) -> int:
    """Of the character that begins with this byte; one that can begin none stands alone."""
    if 0xC2 <= first <= 0xDF:
        return 2
    if 0xE0 <= first <= 0xEF:
        return 3
    return 4 if 0xF0 <= first <= 0xF4 else 1


class Transcript:
    """Pieces in, one text out. Of what is longer than `kept` bytes, the middle is dropped."""

    def __init__(self, kept: int = KEPT) -> None:
        self._half = kept // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._size = 0

    def add(self, data: bytes) -> None:
        self._size += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        # Trimming at twice the size moves every byte once at most.
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    def text(self) -> str:
        """Says how many bytes were dropped, at the place where they were."""
        if self._size <= 2 * self._half:
            return bytes(self._head + self._tail).decode(errors="replace")
        head, _ = split_whole(bytes(self._head))
        tail = _from_character(bytes(self._tail[-self._half :]))
        dropped = self._size - len(head) - len(tail)
        note = f"\n[… {dropped:,} bytes left out …]\n"
        return head.decode(errors="replace") + note + tail.decode(errors="replace")


def _from_character(data: bytes) -> bytes:
    """Without the rest of a character whose beginning was dropped."""
    start = 0
    while start < min(3, len(data)) and _continues(data[start]):
        start += 1
    return data[start:]
