"""What a call that waits for an approval would do to files, as a diff."""

import msgspec
from msgspec import Struct

from angelia.core.approval_text import visible
from angelia.core.diffs import shortened, unified

MOST_LINES = 12


class _Edit(Struct, frozen=True):
    path: str
    old: str = ""
    new: str = ""
    delete: bool = False


class _Patch(Struct, frozen=True):
    edits: tuple[_Edit, ...]


class _Write(Struct, frozen=True):
    path: str
    content: str


def proposed(tool: str, args: object) -> str:
    """Empty for a call of another kind. Nothing in it is hidden from who has to agree."""
    try:
        return visible(shortened(_diff(tool, args), MOST_LINES)).rstrip("\n")
    except msgspec.ValidationError:
        return ""


def _diff(tool: str, args: object) -> str:
    if tool == "write_file":
        written = msgspec.convert(args, _Write)
        return unified(written.path, None, written.content)
    if tool == "patch":
        return "".join(map(_edit, msgspec.convert(args, _Patch).edits))
    return ""


def _edit(edit: _Edit) -> str:
    return unified(edit.path, edit.old or None, None if edit.delete else edit.new)
