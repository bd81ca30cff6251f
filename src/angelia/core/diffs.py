"""What has become of a text, as a unified diff."""

import difflib
from collections.abc import Iterable, Iterator

NO_NEWLINE = "\\ No newline at end of file"
# Beyond that many lines the best diff takes too long to find.
MAX_LINES = 20_000


def unified(path: str, before: str | None, after: str | None, context: int = 3) -> str:
    """None is a file that is not there. Empty if nothing has changed."""
    old, new = _lines(before or ""), _lines(after or "")
    if before == after:
        return ""
    heads = (
        "/dev/null" if before is None else f"a/{path}",
        "/dev/null" if after is None else f"b/{path}",
    )
    if len(old) + len(new) > MAX_LINES:
        return f"--- {heads[0]}\n+++ {heads[1]}\n[{len(old):,} lines became {len(new):,}]\n"
    lines = difflib.unified_diff(old, new, *heads, n=context)
    return "".join(_ended(lines)) or f"--- {heads[0]}\n+++ {heads[1]}\n"


def shortened(diff: str, most: int) -> str:
    """The first lines of a diff, and how many were left out."""
    lines = _lines(diff)
    if len(lines) <= most:
        return diff
    return "".join(lines[:most]) + f"[… {len(lines) - most:,} more lines of the diff …]\n"


def _lines(text: str) -> list[str]:
    """Cut at line feeds only, as files are."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _ended(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}\n"
