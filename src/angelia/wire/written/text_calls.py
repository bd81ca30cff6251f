"""Finds the calls that a model writes into its text; everything else stays text.

Text is held back from a marker on, until it is certain whether a call stands there.
"""

import re

from angelia.core.events import TextDelta
from angelia.core.messages import ToolSpec
from angelia.wire.written.call_forms import FORMS, Tools, Writing, Written, bare
from angelia.wire.written.cursor import Cursor, Other, Short
from angelia.wire.written.marks import Marks

__all__ = ["TextCalls", "Written"]

_MARKS = Marks(*FORMS)
_MARK_BEGINS = re.compile("[<`[]")
_ENDS = re.compile(r"[]}>`]")
# By then the head of a form has been read, so that only an end of something can decide.
_LONG = 512
_SHARE = 8
_HEAD = re.compile(r'"(?:name|function)"\s*:\s*"([^"]+)"')
_ARGUMENTS = re.compile(r'"(?:arguments|parameters)"\s*:\s*(?=\{)')

Found = TextDelta | Written


class TextCalls:
    """Pieces of text in, text and calls out.

    What is long is looked at again when it has grown by a share, not with every piece: so time
    stays in proportion to the text.
    """

    def __init__(self, tools: tuple[ToolSpec, ...]) -> None:
        self._tools = Tools(tools)
        self._held = ""
        self._at = 0
        self._unseen: list[str] = []
        self._size = 0
        self._next_look = 0
        self._undecided = False
        self._at_start = True
        self._behind_call = False

    def feed(self, text: str) -> list[Found]:
        was_long = self._size > _LONG
        self._unseen.append(text)
        self._size += len(text)
        if was_long:
            self._undecided = self._undecided or _ENDS.search(text) is not None
            if not self._undecided or self._size < self._next_look:
                return []
        return self._go(ended=False, clean=False)

    def close(self, *, clean: bool) -> list[Found]:
        """The rest. A call that the text breaks off in is given as far as it came."""
        return self._go(ended=True, clean=clean)

    def _go(self, *, ended: bool, clean: bool) -> list[Found]:
        found: list[Found] = []
        self._held += "".join(self._unseen)
        while self._advance(found, ended=ended, clean=clean):
            pass
        self._held, self._at, self._unseen = self._held[self._at :], 0, []
        self._size, self._undecided = len(self._held), False
        self._next_look = self._size + self._size // _SHARE
        return found

    def _advance(self, found: list[Found], *, ended: bool, clean: bool) -> bool:
        """One step. False when it takes more text to go on, or nothing is left."""
        if self._behind_call:
            self._skip_blank()
        if self._at == len(self._held):
            return False
        if self._at_start:
            return self._start(found, ended=ended, clean=clean)
        mark = self._mark()
        if mark is None:
            held = self._held
            self._say(len(held) if ended else _MARKS.settled(held, self._at), found)
            return False
        self._say(mark.start(), found)
        writing = self._writing(mark.end(), ended=ended, clean=clean)
        try:
            FORMS[mark[0]](writing)
        except Short:
            return ended and self._give_cut(writing, found, known_only=mark[0] == "```")
        except Other:
            self._say(mark.end(), found)
            return True
        self._take(writing, found)
        return True

    def _start(self, found: list[Found], *, ended: bool, clean: bool) -> bool:
        writing = self._writing(self._at, ended=ended, clean=clean)
        writing.skip_blank()
        try:
            if writing.at <= _LONG and not writing.at_end:
                bare(writing)
                self._take(writing, found)
        except Short:
            return ended and self._give_cut(writing, found, known_only=True)
        except Other:
            pass
        self._at_start = False
        return True

    def _mark(self) -> re.Match[str] | None:
        begins = _MARK_BEGINS.search(self._held, self._at)
        return _MARKS.find(self._held, begins.start()) if begins else None

    def _skip_blank(self) -> None:
        cursor = Cursor(self._held, self._at)
        cursor.skip_blank()
        self._at = cursor.at

    def _writing(self, at: int, *, ended: bool, clean: bool) -> Writing:
        return Writing(self._held, at, self._tools, ended=ended, clean=clean)

    def _say(self, end: int, found: list[Found]) -> None:
        if end > self._at:
            self._behind_call = False
            found.append(TextDelta(self._held[self._at : end]))
            self._at = end

    def _take(self, writing: Writing, found: list[Found]) -> None:
        found += writing.calls
        self._at = writing.at
        self._behind_call = True

    def _give_cut(self, writing: Writing, found: list[Found], *, known_only: bool) -> bool:
        """If it was a call, its arguments are no JSON, unless they alone are whole."""
        call = _cut(writing, self._at)
        if known_only and (call is None or call.name not in self._tools.names):
            self._say(len(self._held), found)
            return False
        found += writing.calls
        self._at = max(self._at, writing.whole)
        if call is None:
            self._say(len(self._held), found)
        else:
            found.append(call)
        self._at = len(self._held)
        return False


def _cut(writing: Writing, start: int) -> Written | None:
    rest = writing.text[writing.given :]
    if writing.name is not None:
        return Written(writing.name, rest if rest.strip() else writing.text[start:])
    head = _HEAD.search(rest)
    if head is None:
        return None
    given = _ARGUMENTS.search(rest, head.end()) or _ARGUMENTS.search(rest)
    if given is None:
        return Written(head[1], rest)
    try:
        return Written(head[1], Cursor(rest, given.end()).json())
    except (Short, Other):
        return Written(head[1], rest[given.end() :])
