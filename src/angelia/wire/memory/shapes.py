"""The JSON of notes as Structs: what clients send, and what they get."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from angelia.core.notes import NOTE_CHARACTERS, NoteKind

NoteText = Annotated[str, Meta(min_length=1, max_length=NOTE_CHARACTERS)]
User = Annotated[str, Meta(min_length=1, max_length=256)]


# ── requests ────────────────────────────────────────────────────────────────────────────────


class AddNoteIn(Struct):
    """`kind` is `user` for facts about the user, `note` for everything else."""

    text: NoteText
    kind: NoteKind = "note"
    user: User | None = None


class ChangeNoteIn(Struct):
    """What is left out stays as it is."""

    text: NoteText | UnsetType = UNSET
    kind: NoteKind | UnsetType = UNSET


# ── answers ─────────────────────────────────────────────────────────────────────────────────


class NoteOut(Struct, tag_field="object", tag="hermes.note"):
    """`session_key` is the scope it belongs to; `run_id` is the run that wrote it down."""

    id: str
    text: str
    kind: NoteKind
    user: str | None
    session_key: str | None
    run_id: str | None
    created_at: float
    updated_at: float


class NotesOut(Struct, tag_field="object", tag="list"):
    """As they came; the last `id` is the cursor of the next page."""

    data: list[NoteOut]
    has_more: bool


class NoteDeletedOut(Struct, tag_field="object", tag="hermes.note"):
    id: str
    deleted: bool


class NotesDeletedOut(Struct, tag_field="object", tag="hermes.notes"):
    """How many there were."""

    deleted: int
