"""Many rows in few statements.

Python gives up its lock around every step of every statement, and a busy loop takes milliseconds
to give it back: a hundred rows must not be a hundred steps.
"""

from collections.abc import Sequence
from itertools import chain
from sqlite3 import Connection

Row = tuple[int | float | str | bytes | None, ...]

SIZE = 128
# Every SQLite allows this many.
VARIABLES = 999


class Bulk:
    """A statement that takes rows of `width` values, as `before (?, …), (?, …) after`."""

    def __init__(self, before: str, width: int, after: str = "") -> None:
        row = "(" + ", ".join("?" * width) + ")"
        self.size = min(SIZE, VARIABLES // width)
        self._statements = [
            " ".join((before, ", ".join([row] * size), after)) for size in range(self.size + 1)
        ]

    def execute(self, connection: Connection, rows: Sequence[Row]) -> int:
        """How many rows of the table it touched."""
        touched = 0
        for start in range(0, len(rows), self.size):
            part = rows[start : start + self.size]
            values = tuple(chain.from_iterable(part))
            touched += connection.execute(self._statements[len(part)], values).rowcount
        return touched
