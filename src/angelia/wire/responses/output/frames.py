"""The events of one stream, numbered from 0 without gaps."""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

# A line over 64 KiB breaks clients that read with aiohttp; a character takes up to six bytes.
PIECE = 8 * 1024
DONE = b"data: [DONE]\n\n"


class Frame(Struct, frozen=True, gc=False):
    """One event. `data` is its JSON, which says `number` and `type` too."""

    number: int
    type: str
    data: bytes


def sse(frames: Iterable[Frame]) -> bytes:
    return b"".join([b"%b%b\n\n" % (_head(frame.type), frame.data) for frame in frames])


@cache
def _head(type: str) -> bytes:  # noqa: A002 -- the name of the field
    return b"event: %b\ndata: " % type.encode()


def pieces(text: str) -> Iterator[str]:
    if len(text) <= PIECE:
        yield text
        return
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


class Tape:
    """Frames on their way to a client."""

    def __init__(self) -> None:
        self._next = 0
        self._frames: list[Frame] = []

    def add(self, type: str, fields: bytes) -> None:  # noqa: A002 -- the name of the field
        """`fields` is the inside of the event's JSON, but for its type and number."""
        self.go_on(type, b'{"type":"%b",' % type.encode(), fields)

    def go_on(self, type: str, head: bytes, rest: bytes) -> None:  # noqa: A002 -- as above
        """An event whose beginning is the same many times: `head` is `{`, its type and more."""
        number = self._next
        self._next = number + 1
        data = b'%b%b,"sequence_number":%d}' % (head, rest, number)
        self._frames.append(Frame(number, type, data))

    def take(self) -> list[Frame]:
        frames, self._frames = self._frames, []
        return frames
