"""An answer as the pieces that go over the wire, and what a fault does to them."""

from typing import Literal

from msgspec import Struct, json

from angelia.core.messages import Reply
from angelia.core.unfold import pieces, words
from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.script import Fault, Place
from angelia.wire import sse

Chunk = Literal["word", "char", "all"] | int
Kind = Literal["open", "reasoning", "text", "mark", "arguments", "finish", "end", "whole"]
Ending = Literal["end", "cut", "stall", "comments"]

CREATED = 1_700_000_000
_ARGUMENTS_PIECE = 8
_BOM = b"\xef\xbb\xbf"
BROKEN_JSON = b'{"this is": [not JSON'


class Frame(Struct, frozen=True):
    kind: Kind
    data: bytes


class Scripted(Struct, frozen=True):
    """What is to be answered. `number` makes ids; `chunk` says how finely the text is cut."""

    reply: Reply
    model: str
    number: int = 1
    chunk: Chunk = "word"
    mint: Mint = Mint()


def split(text: str, chunk: Chunk) -> list[str]:
    if isinstance(chunk, int):
        return pieces(text, max(1, chunk))
    match chunk:
        case "word":
            return words(text)
        case "char":
            return list(text)
        case "all":
            return [text] if text else []


def split_arguments(arguments: str, chunk: Chunk) -> list[str]:
    """Arguments have few blanks to cut at."""
    return split(arguments, _ARGUMENTS_PIECE if chunk == "word" else chunk)


def encode(value: object) -> bytes:
    return json.encode(value)


def unnamed(kind: Kind, value: object) -> Frame:
    return Frame(kind, sse.encode(encode(value)))


def named(kind: Kind, name: str, /, **fields: object) -> Frame:
    """An event whose data repeats its name as `type`."""
    return Frame(kind, sse.encode(encode({"type": name, **fields}), name=name))


def spoil(frames: list[Frame], fault: Fault, error: Frame) -> tuple[list[Frame], Ending]:
    """What is sent of an answer under a fault, and how it ends. `error` is the protocol's own."""
    if fault.empty:
        return [], "end"
    if fault.no_finish:
        frames = _unfinished(frames, fault.no_finish)
    if fault.malformed:
        return _garble(frames, "text" if fault.malformed is True else fault.malformed), "end"
    if fault.error_event is not None:
        return [*up_to(frames, fault.after), error], "end"
    if fault.cut is not None:
        return up_to(frames, fault.cut), "cut"
    if fault.stall is not None:
        return up_to(frames, fault.stall), "stall"
    if fault.comments is not None:
        return up_to(frames, fault.comments), "comments"
    return frames, "end"


def up_to(frames: list[Frame], place: Place) -> list[Frame]:
    """The frames up to the middle of `place`; a place that the answer lacks is its middle."""
    if place == "start":
        return []
    if place == "open":
        return [frame for frame in frames if frame.kind == "open"]
    places = [at for at, frame in enumerate(frames) if frame.kind == place]
    places = places or [at for at, frame in enumerate(frames) if frame.kind in ("text", "whole")]
    places = places or list(range(len(frames)))
    if len(places) == 1:
        only = frames[places[0]]
        return [*frames[: places[0]], Frame(only.kind, only.data[: len(only.data) // 2])]
    return frames[: places[(len(places) + 1) // 2]]


def _unfinished(frames: list[Frame], place: Place | Literal[True]) -> list[Frame]:
    if place is not True:
        return up_to(frames, place)
    return [frame for frame in frames if frame.kind not in ("finish", "end")]


def _garble(frames: list[Frame], place: Place) -> list[Frame]:
    if len(frames) == 1:
        return up_to(frames, "text")
    before = up_to(frames, place)
    return [*before, Frame("text", sse.encode(BROKEN_JSON)), *frames[len(before) :]]


def framed(frames: list[Frame], fault: Fault) -> list[Frame]:
    """Line ends and a mark that some servers and proxies are fond of."""
    if fault.crlf:
        frames = [Frame(frame.kind, frame.data.replace(b"\n", b"\r\n")) for frame in frames]
    return [Frame("open", _BOM), *frames] if fault.bom else frames
