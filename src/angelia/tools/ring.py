"""The last of what a process printed, found again by its distance from the beginning."""

KEPT = 256 * 1024


class Ring:
    """Keeps at least the last `kept` bytes; `end` is how many there were in all."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._data = bytearray()
        self.end = 0

    @property
    def start(self) -> int:
        """The distance of the first byte that is still there."""
        return self.end - len(self._data)

    def add(self, data: bytes) -> None:
        self.end += len(data)
        self._data += data
        # Trimming at twice the size moves every byte once at most.
        if len(self._data) > 2 * self._kept:
            del self._data[: -self._kept]

    def since(self, offset: int) -> tuple[int, bytes]:
        """How many bytes behind `offset` are gone, and those that are there."""
        gone = max(self.start - offset, 0)
        return gone, bytes(self._data[max(offset - self.start, 0) :])
