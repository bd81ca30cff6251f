"""Whether an endpoint is worth asking: not for a while, after too many faults in a row.

    closed ──faults in a row──▶ open ──its time is over──▶ on trial ──a good answer──▶ closed
                                  ▲                            │
                                  └──────────another fault─────┘

While it is on trial only one question is let through; the others go elsewhere, if they can.
"""

from typing import Literal

Health = Literal["closed", "open", "on_trial"]

FIRST_REST = 15.0
LONGEST_REST = 120.0


class Breaker:
    """Opens after `faults` in a row; never, if that is 0."""

    def __init__(self, faults: int = 5) -> None:
        self._most = faults
        self._faults = 0
        self._open_until: float | None = None

    def health(self, now: float) -> Health:
        if self._open_until is None:
            return "closed"
        return "open" if now < self._open_until else "on_trial"

    def ask(self, now: float) -> None:
        """Somebody asks; if that is a trial, nobody else does until it is over."""
        if self.health(now) == "on_trial":
            self._open_until = now + FIRST_REST

    def failed(self, now: float) -> None:
        self._faults += 1
        if self._most and self._faults >= self._most:
            doubled = FIRST_REST * 2.0 ** min(self._faults - self._most, 10)
            self._open_until = now + min(doubled, LONGEST_REST)

    def answered(self) -> None:
        """Well or badly: it is there."""
        self._faults = 0
        self._open_until = None
