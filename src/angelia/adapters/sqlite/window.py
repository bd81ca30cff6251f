"""How long to gather before a commit: not at all, unless deltas come thick."""

WIDEST = 0.1
FREE_RATE = 500.0
SECONDS_PER_SQUARE = 1e-11
MEMORY = 0.25


class Window:
    """Widens with the rate of offers, so that a busy log commits seldom and a quiet one at once.

    Only offers count: nobody waits for them, whereas one writer that awaits each of its appends
    would be slowed down by the very window that its own speed opened.
    """

    def __init__(self) -> None:
        self._rate = 0.0
        self._seen: float | None = None

    @property
    def seconds(self) -> float:
        # Waiting is what readers feel first, commits are what a busy machine feels later.
        return min(WIDEST, max(0.0, self._rate - FREE_RATE) ** 2 * SECONDS_PER_SQUARE)

    def observe(self, offers: int, now: float) -> None:
        """`offers` were committed at `now`."""
        if self._seen is not None:
            elapsed = max(now - self._seen, 1e-6)
            self._rate += (offers / elapsed - self._rate) * min(1.0, elapsed / MEMORY)
        self._seen = now
