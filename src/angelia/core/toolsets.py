"""Which tools somebody means who names some: by their own names, by their set, or with a `*`."""

from collections.abc import Iterable
from fnmatch import fnmatchcase


def admits(wanted: Iterable[str] | None, name: str, toolset: str) -> bool:
    """None means all of them."""
    if wanted is None:
        return True
    return any(word == toolset or fnmatchcase(name, word) for word in wanted)
