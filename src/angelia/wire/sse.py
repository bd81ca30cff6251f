"""Server-sent events, both ways: bytes in any pieces to events, and events to bytes.

Above: protocols, which read `Event.data`. Below: whoever moves bytes. Nothing but names and ids
is decoded here, so a character that is split between two chunks does not matter.
"""

from msgspec import Struct

from angelia.errors import UpstreamGarbled

MAX_EVENT = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_UNNAMED = "message"


class Event(Struct, frozen=True):
    """`name` is "message" where the stream names none. `id` is the last one seen so far."""

    data: bytes
    name: str = _UNNAMED
    id: str | None = None


class Decoder:
    """Events do not depend on where the bytes were cut; time is linear in the bytes fed."""

    def __init__(self, *, max_event: int = MAX_EVENT) -> None:
        self._max_event = max_event
        self._head: bytes | None = b""  # None once it is known whether a BOM leads the stream
        self._after_cr = False
        self._tail: list[bytes] = []  # pieces of a line whose end has not come
        self._tail_size = 0
        self._data: list[bytes] = []
        self._data_size = 0
        self._name = _UNNAMED
        self._id: str | None = None

    def feed(self, chunk: bytes) -> list[Event]:
        """Raises UpstreamGarbled if an event is larger than `max_event`."""
        if chunk.startswith(b"data: ") and (data := self._alone(chunk)) is not None:
            return [Event(data, _UNNAMED, self._id)]
        if self._head is not None:
            chunk = self._skip_bom(chunk)
        if self._after_cr or b"\r" in chunk:
            chunk = self._unify_line_ends(chunk)
        lines = chunk.split(b"\n")
        rest = lines.pop()
        if lines and self._tail:
            lines[0] = self._take_tail() + lines[0]
        events = self._read(lines)
        if rest:
            self._tail.append(rest)
            self._tail_size += len(rest)
        if self._tail_size + self._data_size > self._max_event:
            raise self._too_large()
        return events

    def close(self) -> list[Event]:
        """What the stream ended in: an event that has data but lacks its blank line still counts.

        The standard drops it; servers of language models often end right behind their last line.
        """
        return self._read([self._take_tail(), b""])

    def _alone(self, chunk: bytes) -> bytes | None:
        """The data of an event of one line that came by itself, as most do."""
        begun = self._tail or self._data or self._after_cr or self._name is not _UNNAMED
        if begun or self._head or not chunk.endswith(b"\n\n") or len(chunk) > self._max_event:
            return None
        data = chunk[6:-2]
        if b"\n" in data or b"\r" in data:
            return None
        self._head = None
        return data

    def _skip_bom(self, chunk: bytes) -> bytes:
        head = (self._head or b"") + chunk
        if len(head) < len(_BOM) and _BOM.startswith(head):
            self._head = head
            return b""
        self._head = None
        return head.removeprefix(_BOM)

    def _unify_line_ends(self, chunk: bytes) -> bytes:
        if not chunk:
            return chunk
        if self._after_cr:
            # The line ended with the CR already; an LF behind it belongs to the same line end.
            chunk = chunk.removeprefix(b"\n")
        self._after_cr = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _take_tail(self) -> bytes:
        line = b"".join(self._tail)
        self._tail.clear()
        self._tail_size = 0
        return line

    def _read(self, lines: list[bytes]) -> list[Event]:
        events: list[Event] = []
        for line in lines:
            if line.startswith(b"data: "):
                self._data.append(line[6:])
                self._data_size += len(line)
            elif line:
                self._field(line)
            else:
                if self._data:
                    events.append(self._event())
                self._name = _UNNAMED
        return events

    def _event(self) -> Event:
        if self._data_size > self._max_event:
            raise self._too_large()
        data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
        self._data.clear()
        self._data_size = 0
        return Event(data, self._name, self._id)

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
            self._data_size += len(line)
        elif name == b"event":
            self._name = value.decode(errors="replace") or _UNNAMED
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode(errors="replace")

    def _too_large(self) -> UpstreamGarbled:
        return UpstreamGarbled(f"The provider sent an event of more than {self._max_event} bytes.")


def encode(data: bytes, *, name: str | None = None, id: str | None = None) -> bytes:  # noqa: A002 -- the name of the field
    """One event. Each line of `data` becomes a line of its own."""
    if b"\n" in data or b"\r" in data:
        data = _unify(data).replace(b"\n", b"\ndata: ")
    head = b"" if name is None else b"event: " + _one_line(name)
    if id is not None:
        head += b"id: " + _one_line(id)
    return b"%bdata: %b\n\n" % (head, data)


def comment(text: str = "") -> bytes:
    """What every reader skips; keeps a silent connection open."""
    lines = _unify(text.encode()).split(b"\n")
    return b"".join(b": %b\n" % line for line in lines) + b"\n"


def _unify(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _one_line(value: str) -> bytes:
    if any(end in value for end in "\r\n\0"):
        raise ValueError("a name or an id of an event is one line")
    return value.encode() + b"\n"
