"""How long to wait before a provider is asked again."""

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
_JITTER = 0.25
_DOUBLINGS = 30


def wait(attempt: int, wish: float | None, chance: float) -> float:
    """Seconds before attempt `attempt` + 1, counted from 1. A provider's own wish goes first.

    `chance` is a number from 0 to 1 that keeps many who wait from coming back together.
    """
    if wish is not None:
        return wish
    grown = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt - 1, _DOUBLINGS))
    return grown * (1 - _JITTER * chance)
