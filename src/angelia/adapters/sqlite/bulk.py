"""Many rows in few statements.

Python gives up its lock around every step of every statement, and a busy loop takes milliseconds
to give it back: a hundred rows must not be a hundred steps. Nor may they be one for each number of
rows: a statement that is kept prepared takes some 40 KB for 128 rows.
"""

from collections.abc import Sequence
from itertools import chain
from sqlite3 import Connection

Row = tuple[int | float | str | bytes | None, ...]

SIZE = 128
# Few rows are one statement, many are a few.
_SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, SIZE)
# Every SQLite allows this many.
VARIABLES = 999


class Bulk:
    """A statement that takes rows of `width` values, as `before (?, …), (?, …) after`."""

    def __init__(self, before: str, width: int, after: str = "") -> None:
        row = "(" + ", ".join("?" * width) + ")"
        sizes = [size for size in _SIZES if size * width <= VARIABLES]
        # So many rows are one statement, or none.
        self.whole = frozenset((0, *sizes))
        self._statements = [
            (size, " ".join((before, ", ".join([row] * size), after))) for size in reversed(sizes)
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
