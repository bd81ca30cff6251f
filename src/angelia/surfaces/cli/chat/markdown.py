"""Markdown that arrives in pieces, cut where a block of it is surely over.

What is cut off depends on the text alone, not on the pieces: lines are judged whole, in order.
"""

import re

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}(\s|$)")


class Blocks:
    """Paragraphs, items of loose lists, tables and fenced code, one after another."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line = ""  # its end has not come
        self._fence = ""  # what ends the code under way
        self._apart = False  # a blank line stands behind the lines

    @property
    def unfinished(self) -> str:
        return "\n".join((*self._lines, self._line)).strip("\n")

    def feed(self, piece: str) -> list[str]:
        """The blocks that are over with it."""
        *whole, self._line = (self._line + piece).split("\n")
        return [block for line in whole for block in self._take(line)]

    def close(self) -> list[str]:
        """What is left, when nothing more comes."""
        last, self._line = self._line, ""
        blocks = [*self._take(last), *self._cut()]
        self._fence = ""
        return blocks

    def _take(self, line: str) -> list[str]:
        if self._fence:
            return self._inside(line)
        if not line.strip():
            self._apart = bool(self._lines)
            return []
        opened = _FENCE.match(line)
        outer = not line[0].isspace()
        single = bool(_HEADING.match(line))
        begins = outer and (self._apart or single or opened is not None)
        over = self._cut() if begins else []
        self._add(line)
        if opened is not None:
            self._fence = opened[1]
        return [*over, *self._cut()] if single else over

    def _inside(self, line: str) -> list[str]:
        self._lines.append(line)
        mark = line.strip()
        if len(mark) < len(self._fence) or mark.strip(self._fence[0]):
            return []
        self._fence = ""
        # Code that belongs to an item of a list does not end the item.
        return [] if line[0].isspace() else self._cut()

    def _add(self, line: str) -> None:
        self._lines += ("", line) if self._apart else (line,)
        self._apart = False

    def _cut(self) -> list[str]:
        block = "\n".join(self._lines)
        self._lines, self._apart = [], False
        return [block] if block.strip() else []


def shortened(block: str, most: int) -> str:
    """The last lines of a long block, still as the kind of block that it is."""
    lines = block.split("\n")
    if len(lines) <= most:
        return block
    head = lines[:1] if _FENCE.match(lines[0]) else []
    return "\n".join((*head, *lines[-most:]))
