"""What `.gitignore` files say about paths."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from angelia.core.globs import translated
from angelia.errors import ToolError

FILE = ".gitignore"


class _Line(Struct, frozen=True):
    fits: "re.Pattern[str]"
    ignores: bool
    folders_only: bool


class Rules:
    """One file of patterns. `folder` is where it lies, below the workspace; empty for the top."""

    def __init__(self, folder: str, text: str) -> None:
        self._prefix = f"{folder}/" if folder else ""
        self._lines = tuple(line for each in text.splitlines() if (line := _read(each)))

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether the path is to be ignored; None if nothing is said of it."""
        if not path.startswith(self._prefix):
            return None
        below = path[len(self._prefix) :]
        for line in reversed(self._lines):
            if (folder or not line.folders_only) and line.fits.fullmatch(below):
                return line.ignores
        return None


def ignored(rules: Sequence[Rules], path: str, *, folder: bool) -> bool:
    """What deeper files say counts more; `rules` begin with the one at the top."""
    for each in reversed(rules):
        verdict = each.verdict(path, folder=folder)
        if verdict is not None:
            return verdict
    return False


class Ignored:
    """All files of a tree by their folders; what lies in an ignored folder is ignored too.

    `wanted` is a place that was asked for by name, which is not ignored itself.
    """

    def __init__(self, texts: Mapping[str, str], wanted: str = "") -> None:
        self._rules = {folder: Rules(folder, text) for folder, text in texts.items()}
        self._known: dict[str, bool] = {"": False, wanted: False}
        self._wanted = wanted

    def __call__(self, path: str, *, folder: bool) -> bool:
        if path == self._wanted:
            return False
        above = path.rpartition("/")[0]
        if above not in self._known:
            self._known[above] = self(above, folder=True)
        return self._known[above] or ignored(self._above(above), path, folder=folder)

    def _above(self, folder: str) -> list[Rules]:
        return [self._rules[each] for each in ancestors(folder) if each in self._rules]


def ancestors(folder: str) -> list[str]:
    """Every folder from the top down to this one."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:end]) for end in range(len(parts) + 1)]


def _read(line: str) -> _Line | None:
    line = line.removesuffix("\r")
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    if not line or line.startswith("#"):
        return None
    ignores = not line.startswith("!")
    pattern = line.removeprefix("!")
    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    if not pattern:
        return None
    anchored = "/" in pattern
    try:
        expression = translated(pattern.removeprefix("/"), braces=False)
    except ToolError:
        return None
    if not anchored:
        expression = f"(?:.*/)?{expression}"
    return _Line(re.compile(expression, re.DOTALL), ignores, folders_only)
