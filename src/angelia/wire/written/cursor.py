"""A place in a text that is still coming, and steps from there.

A step whose outcome depends on text that has not come raises Short. So whatever succeeds, or
raises Other, does the same whatever comes behind.
"""

import re

_JSON = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+")|(?P<open>[\[{])|(?P<close>[\]}])|[\s,:\w.+-]++', re.DOTALL
)
_WORD = re.compile(r"[\w.:/-]+")
_BLANK = re.compile(r"\s*")


class Short(Exception):
    """The text ends before the thing that is being read."""


class Other(Exception):
    """What is there is something else."""


class Cursor:
    """`ended` says that nothing more will come."""

    def __init__(self, text: str, at: int = 0, *, ended: bool = False) -> None:
        self.text = text
        self.at = at
        self.ended = ended

    @property
    def at_end(self) -> bool:
        """Raises Short as long as more may come."""
        if self.at < len(self.text):
            return False
        if not self.ended:
            raise Short
        return True

    def skip_blank(self) -> None:
        if blank := _BLANK.match(self.text, self.at):
            self.at = blank.end()

    def take(self, *words: str) -> str | None:
        """Steps over one of these, if it is next."""
        for word in words:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return word
        longest = max(map(len, words))
        rest = self.text[self.at : self.at + longest]
        if len(rest) < longest and any(word.startswith(rest) for word in words):
            raise Short
        return None

    def expect(self, *words: str) -> str:
        if (word := self.take(*words)) is None:
            raise Other
        return word

    def sees(self, *words: str) -> bool:
        at = self.at
        seen = self.take(*words) is not None
        self.at = at
        return seen

    def close(self, word: str) -> bool:
        """Steps over a closing word behind white space; at the end of all text, half of it does."""
        start = self.at
        self.skip_blank()
        try:
            closed = self.take(word) is not None
        except Short:
            if not self.ended:
                raise
            self.at, closed = len(self.text), True
        if not closed:
            self.at = start
        return closed

    def word(self) -> str:
        """A name, up to something that cannot be part of one."""
        match = _WORD.match(self.text, self.at)
        end = match.end() if match else self.at
        if end == len(self.text):
            raise Short
        if match is None:
            raise Other
        self.at = end
        return match[0]

    def until(self, word: str) -> str:
        """What stands before the word, which is passed."""
        start, end = self.at, self.text.find(word, self.at)
        if end < 0:
            raise Short
        self.at = end + len(word)
        return self.text[start:end]

    def json(self) -> str:
        """The text of an object or an array, by its brackets; it may still be no JSON."""
        if not self.sees("{", "["):
            raise Other
        start, depth = self.at, 0
        while match := _JSON.match(self.text, self.at):
            self.at = match.end()
            depth += (match.lastgroup == "open") - (match.lastgroup == "close")
            if depth == 0:
                return self.text[start : self.at]
        cut = self.at == len(self.text) or self.text[self.at] == '"'
        self.at = start
        raise Short if cut else Other
