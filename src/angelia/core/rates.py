"""How many may pass in a minute, whichever minute is looked at."""

from collections import deque

MINUTE = 60.0
# Covers what adding seconds to a clock loses by rounding.
_SLACK = 0.001


class Window:
    """When those passed who passed less than a minute ago."""

    def __init__(self) -> None:
        self._passed: deque[float] = deque()

    def wait(self, now: float, most: int) -> float:
        """Nothing, and one more has passed; or the seconds after which one may."""
        self._forget(now)
        if len(self._passed) < most:
            self._passed.append(now)
            return 0.0
        return self._passed[-most] + MINUTE - now + _SLACK

    def is_empty(self, now: float) -> bool:
        self._forget(now)
        return not self._passed

    def _forget(self, now: float) -> None:
        while self._passed and now >= self._passed[0] + MINUTE:
            self._passed.popleft()
