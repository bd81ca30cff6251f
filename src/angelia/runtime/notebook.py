"""Notes of users: kept within bounds, edited, forgotten, and told to the runs that come after."""

import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from angelia.core.notes import NOTE_CHARACTERS, Bounds, Note, NoteKind, Owner, cleaned, size, told
from angelia.core.redact import SHAPES_ONLY, Redactor
from angelia.errors import BadRequest, Conflict, NotFound
from angelia.ports import Caller, Clock, MemoryStore, NoteFilter
from angelia.runtime.one_by_one import OneByOne

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Models copy ids, so they are short; they are unique within a tenant.
_ID_LENGTH = 8


class Notebook:
    """`redact` knows the secrets of the server, which no prompt may hold."""

    def __init__(
        self,
        store: MemoryStore,
        clock: Clock,
        bounds: Bounds | None = None,
        redact: Redactor = SHAPES_ONLY,
    ) -> None:
        self._store = store
        self._clock = clock
        self._bounds = bounds or Bounds()
        self._redact = redact
        self._writing = OneByOne()

    @property
    def bounds(self) -> Bounds:
        return self._bounds

    # ── views ───────────────────────────────────────────────────────────────────────────

    async def get(self, tenant: str, note_id: str) -> Note:
        """What belongs to another tenant does not exist."""
        note = await self._store.get(tenant, note_id)
        if note is None:
            raise NotFound(f"There is no note {note_id!r}.", param="note_id", code="note_not_found")
        return note

    async def find(self, wanted: NoteFilter) -> Sequence[Note]:
        return await self._store.find(wanted)

    async def notes(self, owner: Owner) -> Sequence[Note]:
        return await self._store.find(NoteFilter(owner.tenant, owner.user, owner.session_key))

    async def text(self, caller: Caller) -> str:
        """What a run is told that begins now."""
        return told(await self.notes(Owner(caller.tenant, caller.user, caller.session_key)))

    # ── changes ─────────────────────────────────────────────────────────────────────────

    async def add(
        self, owner: Owner, text: str, kind: NoteKind = "note", run_id: str | None = None
    ) -> Note:
        """One that says the same already is not written twice. Raises Conflict when it is full."""
        text = self._kept(text)
        async with self._writing.at(owner.tenant):
            known = await self.notes(owner)
            for note in known:
                if note.text == text:
                    return note
            self._refuse_too_much(known, text)
            now = self._clock.now()
            note = Note(
                id=await self._fresh_id(owner.tenant),
                tenant=owner.tenant,
                text=text,
                created_at=now,
                updated_at=now,
                kind=kind,
                user=owner.user,
                session_key=owner.session_key,
                run_id=run_id,
            )
            await self._store.put(note)
        return note

    async def change(self, note: Note, text: str, kind: NoteKind | None = None) -> Note:
        text = self._kept(text)
        async with self._writing.at(note.tenant):
            note = await self.get(note.tenant, note.id)
            others = [one for one in await self.notes(note.owner) if one.id != note.id]
            self._refuse_too_much(others, text)
            changed = replace(note, text=text, kind=kind or note.kind, updated_at=self._clock.now())
            await self._store.put(changed)
        return changed

    async def forget(self, note: Note) -> None:
        await self._store.delete(note.tenant, note.id)

    async def clear(self, wanted: NoteFilter) -> int:
        """All that fit; answers with how many there were."""
        return await self._store.clear(wanted)

    def _kept(self, text: str) -> str:
        text = cleaned(self._redact(cleaned(text)))
        if not text:
            raise BadRequest("A note needs some text.", param="text", code="invalid_value")
        if len(text) > NOTE_CHARACTERS:
            raise BadRequest(
                f"A note has at most {NOTE_CHARACTERS:,} characters; this one has {len(text):,}.",
                param="text",
                code="invalid_value",
            )
        return text

    def _refuse_too_much(self, others: Sequence[Note], text: str) -> None:
        bounds, used = self._bounds, size(others)
        if len(others) < bounds.notes and used + len(text) <= bounds.characters:
            return
        raise Conflict(
            f"Memory is full: {len(others)} of {bounds.notes} notes, {used:,} of "
            f"{bounds.characters:,} characters, and this one has {len(text):,}. Replace several "
            "notes by a shorter one, or remove what is no longer needed; then try again.",
            code="memory_full",
        )

    async def _fresh_id(self, tenant: str) -> str:
        while True:
            drawn = "note_" + "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))
            if await self._store.get(tenant, drawn) is None:
                return drawn
