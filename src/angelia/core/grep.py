"""Lines of a text that fit a pattern, in bounds that hold for every kind of search."""

import codecs
import re
import warnings
from collections.abc import Iterator

from angelia.errors import ToolError

# What a search gathers before it gives up, and how much of a line it keeps.
MAX_HITS = 10_000
MAX_TEXT = 300
# A file is binary if there is a NUL among so many of its first bytes.
SNIFFED = 64 * 1024


def compiled(pattern: str, *, ignore_case: bool) -> "re.Pattern[str]":
    """Raises ToolError, which says where the pattern is wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, Warning, OverflowError, RecursionError) as error:
        raise ToolError(f"'pattern' is not a regular expression: {error}.") from error


def readable(data: bytes) -> str | None:
    """The text of a file; None if it is binary."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    if b"\0" in data[:SNIFFED]:
        return None
    return data.decode(errors="replace").removeprefix("\ufeff")


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def matching(text: str, fits: "re.Pattern[str]") -> Iterator[int]:
    """Numbers of lines, from 0."""
    return (number for number, line in enumerate(lines_of(text)) if fits.search(line))


def cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
