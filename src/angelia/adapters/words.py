"""What counts as a word in a search, for every adapter that searches."""

import re
import unicodedata
from collections.abc import Iterator

# Letters and digits, with whatever accents stand behind them as characters of their own. An
# underscore parts words as a space does.
WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
# The beginning of a word is looked for from this many bytes on: it may stand for many words, and
# scripts that need few characters for a word need more bytes for each.
SHORTEST_BEGINNING = 3
# Characters that are read in a millisecond or two.
AT_ONCE = 30_000


def words(text: str) -> Iterator[str]:
    """A long text word by word: other threads want to go on in between."""
    if len(text) <= AT_ONCE and text.isascii():
        return iter(_PLAIN_WORD.findall(text.lower()))
    return (fold(found[0]) for found in WORD.finditer(text))


def fold(word: str) -> str:
    """Without accents and capitals."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFD", word)
    return "".join(c for c in plain if not unicodedata.combining(c)).lower()


def may_be_cut_off(word: str) -> bool:
    """Whether the last word of a search also stands for those that begin with it."""
    return len(word.encode()) >= SHORTEST_BEGINNING


def holds(text: str, part: str) -> bool:
    """Whether the part stands anywhere in the text, whatever the case of both."""
    return part.casefold() in text.casefold()
