"""Notes that last longer than a conversation."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import UNSET, Struct, UnsetType

from angelia.core.notes import Bounds, Note, NoteKind, Owner


class NoteFilter(Struct, frozen=True):
    """UNSET is whoever it is; None is nobody. `after` is the last note of the page before."""

    tenant: str
    user: str | UnsetType | None = UNSET
    session_key: str | UnsetType | None = UNSET
    after: str | None = None
    limit: int | None = None


class MemoryStore(Protocol):
    async def get(self, tenant: str, note_id: str) -> Note | None: ...

    async def find(self, wanted: NoteFilter) -> Sequence[Note]:
        """In the order in which they came; a change does not move a note."""
        ...

    async def put(self, note: Note) -> None:
        """Takes the place of the tenant's note of the same id."""
        ...

    async def delete(self, tenant: str, note_id: str) -> bool:
        """Whether there was one."""
        ...

    async def clear(self, wanted: NoteFilter) -> int:
        """All that fit, whatever page they are on; answers with how many there were."""
        ...


class Memories(Protocol):
    """One owner's notes as a model keeps them. Raises RequestError for what cannot be kept."""

    @property
    def bounds(self) -> Bounds: ...

    async def notes(self, owner: Owner) -> Sequence[Note]: ...

    async def add(
        self, owner: Owner, text: str, kind: NoteKind = "note", run_id: str | None = None
    ) -> Note:
        """One that says the same already is not written twice."""
        ...

    async def change(self, note: Note, text: str) -> Note: ...

    async def forget(self, note: Note) -> None: ...
