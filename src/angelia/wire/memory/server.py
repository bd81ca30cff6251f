"""Notes as clients see them."""

from angelia.core.notes import Note
from angelia.wire.memory.shapes import NoteOut


def shown(note: Note) -> NoteOut:
    return NoteOut(
        id=note.id,
        text=note.text,
        kind=note.kind,
        user=note.user,
        session_key=note.session_key,
        run_id=note.run_id,
        created_at=note.created_at,
        updated_at=note.updated_at,
    )
