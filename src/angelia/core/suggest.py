"""What to say when a name does not exist: the nearest one that does, and all of them."""

from collections.abc import Iterable
from difflib import get_close_matches


def unknown_tool(name: str, available: Iterable[str]) -> str:
    """For the model, which can correct itself."""
    names = list(available)
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"There is no tool {name[:100]!r}.{hint} Available: {', '.join(names) or 'none'}."
