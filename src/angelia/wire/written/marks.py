"""Finds fixed words in a text that comes in pieces, also where a cut goes through one of them."""

import re


class Marks:
    """None of the words is the beginning of another one."""

    def __init__(self, *words: str) -> None:
        self._longest = max(map(len, words))
        self._whole = re.compile("|".join(map(re.escape, words)))
        self._begun = re.compile(rf"(?:{'|'.join(map(_begun, words))})\Z")

    def find(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first of them."""
        return self._whole.search(text, start)

    def at_start(self, text: str) -> re.Match[str] | None:
        return self._whole.match(text)

    def may_start(self, text: str) -> bool:
        """Whether all of the text is the beginning of one of them."""
        return self._begun.match(text) is not None

    def settled(self, text: str, start: int = 0) -> int:
        """How far a text that has none of them cannot turn out to be one any more."""
        begun = self._begun.search(text, max(start, len(text) - self._longest))
        return len(text) if begun is None else begun.start()


def _begun(word: str) -> str:
    """Matches every beginning of the word, from its first character to all but the last."""
    pattern = ""
    for char in reversed(word[:-1]):
        pattern = re.escape(char) + (f"(?:{pattern})?" if pattern else "")
    return pattern
