"""Many rows in few statements.

Python gives up its lock around every step of every statement, and a busy loop takes milliseconds
to give it back: a thousand rows must not be a thousand steps.
"""

from collections.abc import Sequence
from itertools import chain
from sqlite3 import Connection

Row = tuple[int | float | bytes, ...]

# Six values in each of 128 rows stay below the 999 variables that every SQLite allows.
SIZES = (128, 16, 1)


class Bulk:
    """A statement that takes rows of `width` values, as `before (?, …), (?, …) after`."""

    def __init__(self, before: str, width: int, after: str = "") -> None:
        row = "(" + ", ".join("?" * width) + ")"
        self._statements = [
            (size, " ".join((before, ", ".join([row] * size), after))) for size in SIZES
        ]

    def execute(self, connection: Connection, rows: Sequence[Row]) -> int:
        """How many rows of the table it touched."""
        touched = done = 0
        for size, statement in self._statements:
            while len(rows) - done >= size:
                values = tuple(chain.from_iterable(rows[done : done + size]))
                touched += connection.execute(statement, values).rowcount
                done += size
        return touched
