"""What commands print: laid out for the width of a terminal, plain lines for a pipe."""

import io
from collections.abc import Mapping, Sequence
from typing import TextIO

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from angelia.surfaces.cli.screen import colourful, harmless

# With less room a row takes two lines: what it is, and what is to be said of it.
ROOMY = 80
_GAP = "  "
# Measures what takes two cells, and prints nothing.
_RULER = Console(file=io.StringIO(), width=ROOMY)


class Column(Struct, frozen=True):
    """`head` stands on the first line where there is little room; `stretch` takes what is left."""

    title: str
    look: str = ""
    head: bool = False
    stretch: bool = False


class Paper:
    """A stream that is a terminal is laid out for; one that is not gets whole lines."""

    def __init__(self, out: TextIO, env: Mapping[str, str]) -> None:
        self._terminal = out.isatty()
        self._out = out
        looks = "auto" if colourful(out, env) else None
        self._console = Console(file=out, color_system=looks, highlight=False, markup=False)

    @property
    def is_terminal(self) -> bool:
        return self._terminal

    @property
    def width(self) -> int:
        return self._console.width

    def table(self, columns: Sequence[Column], rows: Sequence[Sequence[str]], nothing: str) -> None:
        """`nothing` is said where there are no rows."""
        if not rows:
            self.say(nothing)
        elif not self._terminal:
            for row in rows:
                print(_GAP.join(_flat(cell) for cell in row if cell), file=self._out)
        elif self.width < ROOMY:
            for row in rows:
                self._card(columns, row)
        else:
            self._console.print(_wide(columns, rows))

    def details(self, pairs: Sequence[tuple[str, str]]) -> None:
        """A name and what is to be said of it, on lines of their own where there is little room."""
        longest = max((len(name) for name, _ in pairs), default=0)
        for name, value in pairs:
            if not value:
                continue
            if self._terminal:
                self._detail(name, value, longest)
            else:
                indented = value.replace("\n", f"\n{' ' * (longest + 2)}")
                print(f"{name:<{longest}}{_GAP}{indented}", file=self._out)

    def say(self, text: str, look: str = "") -> None:
        """Lines that are folded between words, behind the indent that they have."""
        if not self._terminal:
            print(text, file=self._out)
            return
        for line in harmless(text).split("\n"):
            self._console.print(Text(_folded(line, self.width), look), soft_wrap=True)

    def exactly(self, text: str, look: str = "") -> None:
        """Lines that are not broken, so that they can be copied."""
        shown = harmless(text) if self._terminal else text
        self._console.print(Text(shown, look), soft_wrap=True)

    def _card(self, columns: Sequence[Column], row: Sequence[str]) -> None:
        cells = [(column, _flat(cell)) for column, cell in zip(columns, row, strict=True) if cell]
        first = Text(_GAP).join(Text(cell, column.look) for column, cell in cells if column.head)
        self._console.print(first, soft_wrap=True)
        rest = " · ".join(cell for column, cell in cells if not column.head)
        if rest:
            self._console.print(Text(_folded(f"  {rest}", self.width), "dim"), soft_wrap=True)

    def _detail(self, name: str, value: str, longest: int) -> None:
        narrow = self.width < ROOMY // 2 + longest
        indent = " " * (2 if narrow else longest + 2)
        room = max(20, self.width - len(indent))
        lines = [part for line in harmless(value).split("\n") for part in _cut(line, room)]
        title = Text(name if narrow else f"{name:<{longest}}{_GAP}", "bold")
        if narrow:
            self._console.print(title)
        for number, line in enumerate(lines):
            first = number == 0 and not narrow
            lead = title if first else Text(indent)
            self._console.print(lead.copy().append(line, ""), soft_wrap=True)


def _wide(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for column in columns:
        ratio = 1 if column.stretch else None
        table.add_column(
            column.title, style=column.look, no_wrap=True, overflow="ellipsis", ratio=ratio
        )
    for row in rows:
        table.add_row(*(Text(_flat(cell)) for cell in row))
    return table


def _flat(cell: str) -> str:
    return " ".join(harmless(cell).split())


def _folded(line: str, width: int) -> str:
    """What follows the first line stands two further in."""
    words = line.lstrip()
    indent = line[: len(line) - len(words)]
    first, *rest = _cut(words, max(20, width - len(indent) - 2))
    return "\n".join([f"{indent}{first}", *(f"{indent}  {one}" for one in rest)])


def _cut(line: str, room: int) -> list[str]:
    """Between words; one that is longer than the room stays whole, so that it can be copied."""
    cut = Text(line).wrap(_RULER, room, overflow="ignore")
    return [one.plain.rstrip() for one in cut] or [""]
