"""How long to wait before a provider is asked again."""

_FIRST = 0.5
_LONGEST = 8.0
_LONGEST_WISH = 60.0
_JITTER = 0.25
_DOUBLINGS = 30


def wait(attempt: int, wish: float | None, chance: float) -> float:
    """Seconds before attempt `attempt` + 1, counted from 1; `chance` is in [0, 1).

    A provider's own wish goes first, within reason. Otherwise each wait is twice the last, up to
    a limit, and shorter by up to a quarter, so that those who failed together do not come back
    together.
    """
    if wish is not None:
        return min(wish, _LONGEST_WISH)
    grown = min(_LONGEST, _FIRST * 2.0 ** min(max(0, attempt - 1), _DOUBLINGS))
    return grown * (1 - _JITTER * chance)
