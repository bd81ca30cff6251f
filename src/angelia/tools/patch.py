"""The tool `patch`: pieces of files replaced, several at once, all of them or none."""

import codecs
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

from msgspec import Meta, Struct

from angelia.core.diffs import shortened, unified
from angelia.core.patching import replaced
from angelia.core.policy import Touched
from angelia.core.state import BETWEEN_LANES
from angelia.errors import ToolError
from angelia.ports import ChangeJournal, Edit, Tool, ToolContext, Workspace
from angelia.tools.define import Arguments, tool
from angelia.tools.files import WorkspacePath, encoded, normalised
from angelia.tools.kinds import is_binary

MAX_EDITS = 100
DIFF_LINES = 200


class Replacement(Arguments, frozen=True):
    """Creates a file if `old` is empty and there is none; `delete` removes one."""

    path: WorkspacePath
    old: Annotated[str, Meta(description="Text to replace; empty to create a file.")] = ""
    new: Annotated[str, Meta(description="Text to put in its place.")] = ""
    all: Annotated[bool, Meta(description="Replace it wherever it stands.")] = False
    delete: Annotated[bool, Meta(description="Delete the file instead.")] = False


class Patch(Arguments, frozen=True):
    edits: Annotated[
        list[Replacement],
        Meta(min_length=1, max_length=MAX_EDITS, description="Made in this order; all or none."),
    ]


class _Draft(Struct):
    """A file before and after; None is one that is not there."""

    path: str
    before: bytes | None
    data: bytes | None


def patch(workspace: Workspace, journal: ChangeJournal) -> Tool:
    @tool(
        Patch,
        name="patch",
        description=(
            "Change files of the workspace: each edit replaces the text `old` of a file by `new`. "
            "`old` must stand in exactly one place, unless `all` is set; small differences in "
            "white space are forgiven. An empty `old` creates a file. Either all edits are made "
            "or none; the result is a unified diff."
        ),
        effect="idempotent",
        emoji="🩹",
        label=lambda arguments: ", ".join(_paths(arguments)),
        lane=lambda arguments: BETWEEN_LANES.join(_paths(arguments)),
        touched=lambda arguments: Touched(paths=_paths(arguments)),
        toolset="files",
    )
    async def run(arguments: Patch, context: ToolContext) -> str:
        if known := await journal.announced(context.run_id, context.call_id):
            return await _finished(workspace, known)
        drafts, notes = await _drafted(workspace, arguments.edits)
        edits = tuple(Edit(draft.path, draft.data) for draft in drafts)
        await journal.before_edits(context.run_id, context.call_id, edits)
        await _write(workspace, drafts)
        diffs = (shortened(_diff(draft), DIFF_LINES) for draft in drafts)
        return "\n".join(("".join(diffs).rstrip("\n"), *notes))

    return run


def _paths(arguments: Patch) -> tuple[str, ...]:
    return tuple(dict.fromkeys(normalised(edit.path) for edit in arguments.edits))


async def _drafted(
    workspace: Workspace, edits: Sequence[Replacement]
) -> tuple[list[_Draft], list[str]]:
    """What all edits together come to. Nothing is written here."""
    drafts: dict[str, _Draft] = {}
    notes: list[str] = []
    for number, edit in enumerate(edits):
        try:
            place = await workspace.place(edit.path)
            if place not in drafts:
                before = await _read(workspace, place)
                drafts[place] = _Draft(place, before, before)
            drafts[place].data, note = _applied(edit, drafts[place].data)
        except ToolError as error:
            which = f" (edit {number + 1} of {len(edits)})" if len(edits) > 1 else ""
            raise ToolError(f"{edit.path}{which}: {error} Nothing was changed.") from error
        if note:
            notes.append(f"[{edit.path}: {note}]")
    changed = [draft for draft in drafts.values() if draft.data != draft.before]
    if not changed:
        raise ToolError("The edits cancel each other out; nothing would change.")
    return changed, notes


async def _read(workspace: Workspace, path: str) -> bytes | None:
    """None if nothing is there."""
    try:
        await workspace.list(path, 0)
    except ToolError:
        return None
    return await workspace.read(path)


def _applied(edit: Replacement, data: bytes | None) -> tuple[bytes | None, str]:
    if edit.delete:
        if edit.old or edit.new or edit.all:
            raise ToolError("'delete' goes without 'old', 'new' and 'all'.")
        if data is None:
            raise ToolError("there is no such file to delete.")
        return None, ""
    if not edit.old:
        if data:
            raise ToolError("'old' is empty, but the file exists; give the text to replace.")
        return encoded(edit.new, "new"), ""
    if data is None:
        raise ToolError("there is no such file; leave 'old' empty to create it.")
    text, encoding = _decoded(data)
    patched = replaced(text, edit.old, edit.new, every=edit.all)
    note = f"found although {patched.manner}" if patched.manner else ""
    if patched.places > 1:
        note = "; ".join(filter(None, (f"{patched.places} places replaced", note)))
    return _encoded(patched.text, encoding), note


def _decoded(data: bytes) -> tuple[str, str]:
    """Every encoding here gives the same bytes back for what is not changed."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16-le" if data.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
        with suppress(UnicodeDecodeError):
            return data.decode(encoding), encoding
    if is_binary(data[:8192]):
        raise ToolError("this is a binary file, which has no text to replace.")
    try:
        return data.decode(), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise ToolError(
            f"the file is not UTF-8, and {text[error.start]!r} has no place in {encoding}."
        ) from error


async def _write(workspace: Workspace, drafts: Sequence[_Draft]) -> None:
    """If one cannot be written, those before it are put back."""
    for number, draft in enumerate(drafts):
        try:
            await _put(workspace, draft.path, draft.data)
        except ToolError:
            for done in reversed(drafts[:number]):
                with suppress(ToolError):
                    await _put(workspace, done.path, done.before)
            raise


async def _put(workspace: Workspace, path: str, data: bytes | None) -> None:
    if data is None:
        await workspace.remove(path)
    else:
        await workspace.write(path, data)


async def _finished(workspace: Workspace, known: Sequence[Edit]) -> str:
    """The same call was begun before, and the server stopped: what it had in mind is completed."""
    for edit in known:
        if await _read(workspace, edit.path) != edit.data:
            await _put(workspace, edit.path, edit.data)
    names = ", ".join(edit.path for edit in known)
    return f"Done: {names}. [begun before the server was started again, and completed now]"


def _diff(draft: _Draft) -> str:
    return unified(draft.path, _shown(draft.before), _shown(draft.data))


def _shown(data: bytes | None) -> str | None:
    return None if data is None else _decoded(data)[0]
