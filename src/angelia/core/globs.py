"""Patterns for names of files: `*`, `?`, `[…]`, `{…,…}` and `**`."""

import re
from functools import lru_cache

from angelia.errors import ToolError

_SPECIAL = re.compile(r"[*?\[\]{}\\]")


@lru_cache(maxsize=1024)
def glob(pattern: str) -> "re.Pattern[str]":
    """Fits paths relative to where it stands; without a slash in it, names in any folder.

    Raises ToolError for a pattern that is none.
    """
    anchored = "/" in pattern.rstrip("/")
    expression = translated(pattern.strip("/"), braces=True)
    return re.compile(expression if anchored else f"(?:.*/)?{expression}", re.DOTALL)


def translated(pattern: str, *, braces: bool) -> str:
    """As a regular expression for the whole of a path."""
    pieces: list[str] = []
    depth, at = 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "*":
            piece, at = _stars(pattern, at)
        elif char == "[":
            piece, at = _choice(pattern, at)
        elif char == "\\":
            piece, at = re.escape(pattern[at + 1 : at + 2] or "\\"), at + 2
        elif braces and char in "{}," and (depth or char != ","):
            piece, at = {"{": "(?:", "}": ")", ",": "|"}[char], at + 1
            depth += {"{": 1, "}": -1, ",": 0}[char]
        else:
            piece, at = ("[^/]" if char == "?" else re.escape(char)), at + 1
        if depth < 0:
            break
        pieces.append(piece)
    if depth:
        raise ToolError(f"The glob {pattern[:200]!r} has a brace without its partner.")
    return "".join(pieces)


def _stars(pattern: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    alone = (at == 0 or pattern[at - 1] == "/") and end - at == 2
    if alone and end == len(pattern):
        return ".*" if at == 0 else ".+", end
    if alone and pattern[end] == "/":
        return "(?:.*/)?", end + 1
    return "[^/]*", end


def _choice(pattern: str, at: int) -> tuple[str, int]:
    """A bracket that is never closed stands for itself."""
    start = at + 1
    negated = pattern[start : start + 1] in ("!", "^")
    start += negated
    end = pattern.find("]", start + 1)
    if end < 0:
        return r"\[", at + 1
    inner = re.sub(r"([\\\[\]&~|^])", r"\\\1", pattern[start:end])
    choice = f"[{'^' if negated else ''}{inner}]"
    try:
        re.compile(choice)
    except re.error as error:
        raise ToolError(f"The glob {pattern[:200]!r} has a range that is none: {error}.") from error
    return f"(?!/){choice}", end + 1


def last_name(pattern: str) -> str | None:
    """What the names of all files that fit must fit; None if that can be anything."""
    if "{" in pattern:
        return None
    name = pattern.rstrip("/").rpartition("/")[2]
    return None if name == "**" or not name else name
