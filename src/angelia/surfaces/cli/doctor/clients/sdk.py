"""How the openai packages read a stream: what they hand on, and where they raise."""

from collections.abc import Iterator

import msgspec

from angelia.surfaces.cli.doctor.clients.chunks import Chunk


class Raised(Exception):
    """What the package raises; the answer ends there."""


def events(data: bytes) -> Iterator[bytes]:
    """The data of each event. An id holds on, so that any blank line behind it is an event."""
    pieces: list[bytes] = []
    named = identified = timed = False
    for line in data.replace(b"\r\n", b"\n").split(b"\n"):
        name, _, value = line.partition(b":")
        if not line:
            if named or pieces or identified or timed:
                yield b"\n".join(pieces)
            pieces, named, timed = [], False, False
        elif name == b"data":
            pieces.append(value.removeprefix(b" "))
        elif name == b"event":
            named = bool(value.strip())
        elif name == b"id":
            identified = bool(value.strip())
        elif name == b"retry":
            timed = timed or value.strip().isdigit()


def frames(data: bytes) -> Iterator[tuple[Chunk, bytes]]:
    """Each chunk with its JSON. Raises Raised for what is none, and for the server's errors."""
    for event in events(data):
        if event.startswith(b"[DONE]"):
            return
        chunk = _decoded(event)
        if chunk.complaint:
            raise Raised(chunk.complaint)
        yield chunk, event


def _decoded(event: bytes) -> Chunk:
    try:
        return msgspec.json.decode(event, type=Chunk)
    except msgspec.ValidationError:
        # Fields are not checked: a chunk of another shape has none of those that are looked at.
        return Chunk()
    except msgspec.DecodeError as error:
        shown = event[:60].decode(errors="replace")
        raise Raised(f"a frame is not JSON: {shown!r}") from error
