"""Notes, kept in a dictionary."""

from collections.abc import Sequence

from msgspec import UNSET

from angelia.adapters.refusals import no_notes_after
from angelia.core.notes import Note
from angelia.ports.memories import NoteFilter


class MemoryMemories:
    def __init__(self) -> None:
        self._notes: dict[tuple[str, str], Note] = {}

    async def get(self, tenant: str, note_id: str) -> Note | None:
        return self._notes.get((tenant, note_id))

    async def find(self, wanted: NoteFilter) -> Sequence[Note]:
        mine = [note for note in self._notes.values() if note.tenant == wanted.tenant]
        if wanted.after is not None:
            ids = [note.id for note in mine]
            if wanted.after not in ids:
                raise no_notes_after(wanted.after)
            mine = mine[ids.index(wanted.after) + 1 :]
        return tuple(note for note in mine if _fits(note, wanted))[: wanted.limit]

    async def put(self, note: Note) -> None:
        self._notes[note.tenant, note.id] = note

    async def delete(self, tenant: str, note_id: str) -> bool:
        return self._notes.pop((tenant, note_id), None) is not None

    async def clear(self, wanted: NoteFilter) -> int:
        gone = [place for place, note in self._notes.items() if _fits(note, wanted)]
        for place in gone:
            del self._notes[place]
        return len(gone)


def _fits(note: Note, wanted: NoteFilter) -> bool:
    return (
        note.tenant == wanted.tenant
        and (wanted.user is UNSET or note.user == wanted.user)
        and (wanted.session_key is UNSET or note.session_key == wanted.session_key)
    )
