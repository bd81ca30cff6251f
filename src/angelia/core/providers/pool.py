"""Several keys of one provider: whose turn it is, and which of them rest."""

from collections.abc import Iterable
from typing import Literal

KeyOrder = Literal["round_robin", "fill_first", "least_used"]


class Pool:
    """Keys by number, from 0. Without any key there is still one way to ask: number 0.

    `round_robin` takes them in turn, `fill_first` the first one until it rests, `least_used` the
    one that was picked the fewest times.
    """

    def __init__(self, keys: int = 1, order: KeyOrder = "round_robin") -> None:
        self._rest_until = [0.0] * max(1, keys)
        self._picked = [0] * max(1, keys)
        self._order: KeyOrder = order
        self._next = 0

    def pick(self, now: float) -> int:
        """One that does not rest; if all rest, the one that has rested enough the soonest."""
        ready = [key for key, until in enumerate(self._rest_until) if until <= now]
        key = self._chosen(ready) if ready else self._soonest
        self._picked[key] += 1
        self._next = key + 1
        return key

    def rest(self, key: int, until: float) -> None:
        self._rest_until[key] = max(self._rest_until[key], until)

    def wait(self, now: float) -> float:
        """The seconds until there is a key that does not rest."""
        return max(0.0, self._rest_until[self._soonest] - now)

    def resting(self, now: float) -> int:
        return sum(until > now for until in self._rest_until)

    def __len__(self) -> int:
        return len(self._rest_until)

    @property
    def _soonest(self) -> int:
        return min(range(len(self._rest_until)), key=self._rest_until.__getitem__)

    def _chosen(self, ready: Iterable[int]) -> int:
        match self._order:
            case "round_robin":
                return min(ready, key=lambda key: (key < self._next, key))
            case "fill_first":
                return min(ready)
            case "least_used":
                return min(ready, key=self._picked.__getitem__)
