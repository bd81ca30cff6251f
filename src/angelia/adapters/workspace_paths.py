"""Paths as tools give them, made into steps below a workspace; what leads out is a ToolError."""

import posixpath
from collections.abc import Iterable

from angelia.errors import ToolError

SHOWN = 200
# Every folder on the way costs an open descriptor.
MAX_DEPTH = 100


def steps(path: str, roots: Iterable[str]) -> tuple[str, ...]:
    """The names on the way down; none for the workspace itself. No name is `.` or `..`.

    An absolute path counts from the root it lies under.
    """
    if "\0" in path:
        raise ToolError(f"The path {shown(path)} contains a NUL character.")
    tidy = posixpath.normpath(path)
    if tidy.startswith("/"):
        below = beneath(tuple(tidy.split("/")), roots)
    else:
        below = tuple(part for part in tidy.split("/") if part != ".")
    if below is None or ".." in below:
        raise leads_out(path)
    if len(below) > MAX_DEPTH:
        raise too_deep(path)
    return below


def beneath(parts: tuple[str, ...], roots: Iterable[str]) -> tuple[str, ...] | None:
    """What is left of an absolute path below the first root that it begins with."""
    parts = tuple(part for part in parts if part not in ("", "."))
    for root in roots:
        above = tuple(part for part in root.split("/") if part)
        if parts[: len(above)] == above:
            return parts[len(above) :]
    return None


def leads_out(path: str) -> ToolError:
    return ToolError(f"The path {shown(path)} leads out of the workspace; use a path inside it.")


def too_deep(path: str) -> ToolError:
    return ToolError(f"The path {shown(path)} is more than {MAX_DEPTH} folders deep.")


def shown(path: str) -> str:
    """As it stands in a message: quoted, and not endless."""
    return repr(path if len(path) <= SHOWN else path[:SHOWN] + "…")
