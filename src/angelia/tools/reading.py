"""A window of a file's lines, taken from its bytes as they come."""

import codecs

from msgspec import Struct

from angelia.errors import ToolError
from angelia.tools.transcript import split_whole

# A window that is longer would be cut by whoever shows it, in its middle.
MAX_WINDOW = 30_000
MAX_LINE = 2_000
# Counting the lines of a file that is larger takes longer than the window is worth.
COUNTED = 32 * 1024 * 1024

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def marked(head: bytes) -> tuple[bytes, str] | None:
    """The mark that a file begins with, and the encoding that it stands for."""
    return next((each for each in _BOMS if head.startswith(each[0])), None)


class Line(Struct, frozen=True):
    """`size` is that of the whole line, of which `data` may be the beginning."""

    data: bytes
    size: int
    ended: bool


class LineWindow:
    """Lines `first` and following, as many as `count` and as fit; needs no more than it shows."""

    def __init__(self, first: int, count: int, *, to_the_end: bool) -> None:
        self._first = first
        self._last = first + count - 1
        self._to_the_end = to_the_end
        self._number = 1
        self._size = 0
        self._head = bytearray()
        self._length = 0
        self.lines: list[Line] = []
        self.empty = True

    @property
    def full(self) -> bool:
        return self._number > self._last

    @property
    def satisfied(self) -> bool:
        """Whatever comes now is not wanted."""
        return self.full and not self._to_the_end

    @property
    def count(self) -> int:
        """Of all lines that were seen."""
        return self._number - (0 if self._length else 1)

    def feed(self, data: bytes) -> None:
        self.empty = self.empty and not data
        at = self._skipped(data)
        while at < len(data) and not self.full:
            end = data.find(b"\n", at)
            self._take(data[at : end if end >= 0 else len(data)])
            if end < 0:
                return
            self._end(ended=True)
            at = end + 1
        if at < len(data):
            self._number += data.count(b"\n", at)
            self._length = 0 if data.endswith(b"\n") else 1

    def finish(self) -> None:
        """Nothing more will come."""
        if self._first <= self._number <= self._last and self._length:
            length = self._length
            self._end(ended=False)
            self._number, self._length = self._number - 1, length

    def _skipped(self, data: bytes) -> int:
        """Where the first wanted line begins, or goes on."""
        wanted = self._first - self._number
        if wanted <= 0:
            return 0
        found = data.count(b"\n")
        if found < wanted:
            self._number += found
            self._length = 0 if data.endswith(b"\n") else 1
            return len(data)
        at = 0
        for _ in range(wanted):
            at = data.find(b"\n", at) + 1
        self._number, self._length = self._first, 0
        return at

    def _take(self, piece: bytes) -> None:
        self._head += piece[: max(0, 4 * MAX_LINE - len(self._head))]
        self._length += len(piece)

    def _end(self, *, ended: bool) -> None:
        self._size += min(self._length, MAX_LINE)
        if self.lines and self._size > MAX_WINDOW:
            self._last = self._number - 1
            self._number += ended
        else:
            self.lines.append(Line(bytes(self._head), self._length, ended))
            self._number += 1
        self._head.clear()
        self._length = 0


class Transcoder:
    """Bytes of a marked encoding made into UTF-8, piece by piece; others pass as they are."""

    def __init__(self, head: bytes) -> None:
        found = marked(head)
        self.encoding = found[1] if found else None
        self._mark = len(found[0]) if found else 0
        self._decoder = None
        if self.encoding not in (None, "utf-8"):
            self._decoder = codecs.getincrementaldecoder(str(self.encoding))("replace")

    def __call__(self, piece: bytes) -> bytes:
        skipped, self._mark = self._mark, 0
        piece = piece[skipped:]
        if self._decoder is None:
            return piece
        return self._decoder.decode(piece).encode("utf-8", "replace")


def shown(window: LineWindow, first: int, *, numbered: bool, whole: bool, encoding: str) -> str:
    """The text of a window, with notes behind it. `whole` says that the end was seen."""
    lines = window.lines
    if window.empty:
        return "[the file is empty]"
    if not lines:
        raise ToolError(f"'offset' is {first}, but the file ends at line {window.count}.")
    foreign = not all(_is_utf8(line) for line in lines)
    pieces = [_text(line, foreign=foreign) for line in lines]
    last = first + len(lines) - 1
    cut = sum(len(piece.rstrip("\n")) > MAX_LINE for piece in pieces)
    notes = _notes(cut, foreign=foreign, encoding=encoding)
    if not whole:
        notes.append(f"lines {first} to {last}; more follow: read on with offset={last + 1}")
    elif window.count > last:
        count = window.count
        notes.append(f"lines {first} to {last} of {count}; read on with offset={last + 1}")
    if numbered:
        pieces = [f"{first + n:>6}\t{piece}" for n, piece in enumerate(pieces)]
    text = "".join(pieces)
    if not notes:
        return text
    return f"{text}{'' if text.endswith(chr(10)) else chr(10)}[{'; '.join(notes)}]"


def _notes(cut: int, *, foreign: bool, encoding: str) -> list[str]:
    notes: list[str] = []
    if encoding:
        notes.append(f"the file is {encoding.upper()}")
    if foreign:
        notes.append("not UTF-8: read as Latin-1")
    if cut:
        many = "a line is" if cut == 1 else f"{cut:,} lines are"
        notes.append(f"{many} cut at {MAX_LINE:,} characters")
    return notes


def _is_utf8(line: Line) -> bool:
    whole = line.data if line.size == len(line.data) else split_whole(line.data)[0]
    try:
        whole.decode()
    except UnicodeDecodeError:
        return False
    return True


def _text(line: Line, *, foreign: bool) -> str:
    if foreign:
        text = line.data.decode("latin-1")
    else:
        text = split_whole(line.data)[0].decode() if line.size > len(line.data) else _utf8(line)
    cut = len(text) > MAX_LINE or line.size > len(line.data)
    return (text[:MAX_LINE] + "…" if cut else text) + ("\n" if line.ended else "")


def _utf8(line: Line) -> str:
    return line.data.decode(errors="replace")
