"""Whose turn it is in each session: one run after another, in the order they came."""

from collections import deque

Place = tuple[str, str]


class Turns:
    """A place is a tenant and a session; the first run in its line is the one that may work."""

    def __init__(self) -> None:
        self._lines: dict[Place, deque[str]] = {}

    def join(self, place: Place, run_id: str) -> bool:
        """Whether it is the run's turn at once."""
        line = self._lines.setdefault(place, deque())
        line.append(run_id)
        return line[0] == run_id

    def first(self, place: Place) -> str | None:
        line = self._lines.get(place)
        return line[0] if line else None

    def is_followed(self, place: Place) -> bool:
        """Whether somebody waits for the turn of the one whose turn it is."""
        return len(self._lines.get(place, ())) > 1

    def waiting_of(self, tenant: str) -> int:
        """Runs of a tenant whose turn it is not."""
        return sum(len(line) - 1 for place, line in self._lines.items() if place[0] == tenant)

    def leave(self, place: Place, run_id: str) -> str | None:
        """The run whose turn has come because this one left, if there is one."""
        line = self._lines.get(place)
        if line is None or run_id not in line:
            return None
        was_first = line[0] == run_id
        line.remove(run_id)
        if not line:
            del self._lines[place]
            return None
        return line[0] if was_first else None

    @property
    def waiting(self) -> int:
        """Runs whose turn it is not."""
        return sum(len(line) - 1 for line in self._lines.values())
