import asyncio

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.memories import MemoryMemories
from angelia.core.notes import Bounds, Note, Owner
from angelia.core.redact import Redactor
from angelia.errors import BadRequest, Conflict, NotFound
from angelia.ports import Caller, NoteFilter
from angelia.runtime.notebook import Notebook

ANN = Owner("key_1", "ann")


class SlowMemories(MemoryMemories):
    """Others get to work while these are read, as with a disk."""

    async def find(self, wanted: NoteFilter) -> tuple[Note, ...]:
        found = await super().find(wanted)
        await asyncio.sleep(0)
        return tuple(found)


def notebook(notes: int = 100, characters: int = 10_000, *secrets: str) -> Notebook:
    bounds = Bounds(notes, characters)
    return Notebook(SlowMemories(), ManualClock(5.0), bounds, Redactor(*secrets))


async def texts(book: Notebook, owner: Owner = ANN) -> list[str]:
    return [note.text for note in await book.notes(owner)]


async def test_a_note_is_told_to_its_owner_alone() -> None:
    book = notebook()
    note = await book.add(ANN, "  Likes tea.\r\n", "user", "run_1")
    assert (note.text, note.kind, note.run_id, note.created_at) == (
        "Likes tea.",
        "user",
        "run_1",
        5.0,
    )
    told = await book.text(Caller("key_1", user="ann"))
    assert f"- [{note.id}] Likes tea." in told
    assert await book.text(Caller("key_1", user="ann", session_id="other")) == told
    for other in (
        Caller("key_1"),
        Caller("key_1", user="bob"),
        Caller("key_1", user="ann", session_key="work"),
        Caller("key_2", user="ann"),
    ):
        assert await book.text(other) == ""


async def test_the_same_note_is_written_once() -> None:
    book = notebook()
    first, second = await asyncio.gather(book.add(ANN, "tea"), book.add(ANN, "tea "))
    assert first == second
    assert await texts(book) == ["tea"]


async def test_a_full_memory_says_how_full_it_is() -> None:
    book = notebook(notes=2, characters=10)
    await book.add(ANN, "12345")
    with pytest.raises(Conflict, match="1 of 2 notes, 5 of 10 characters, and this one has 6"):
        await book.add(ANN, "123456")
    await book.add(ANN, "54321")
    with pytest.raises(Conflict, match="Memory is full: 2 of 2 notes"):
        await book.add(ANN, "x")
    await book.add(Owner("key_1", "bob"), "x")


async def test_no_more_is_noted_than_fits_however_many_ask_at_once() -> None:
    book = notebook(notes=3)
    added = await asyncio.gather(
        *(book.add(ANN, f"note {n}") for n in range(9)), return_exceptions=True
    )
    assert sum(isinstance(one, Note) for one in added) == 3
    assert len(await texts(book)) == 3


async def test_a_note_may_be_changed_within_the_bounds() -> None:
    book = notebook(characters=10)
    note = await book.add(ANN, "1234567890")
    changed = await book.change(note, "0987654321", "user")
    assert (changed.id, changed.text, changed.kind) == (note.id, "0987654321", "user")
    with pytest.raises(Conflict):
        await book.change(note, "12345678901")
    await book.forget(note)
    with pytest.raises(NotFound):
        await book.change(note, "x")


@pytest.mark.parametrize("text", ["", " \n\u200b", "x" * 2001])
async def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(BadRequest) as refused:
        await notebook().add(ANN, text)
    assert refused.value.param == "text"


async def test_secrets_are_not_kept() -> None:
    book = notebook(10, 1000, "the-servers-own")
    await book.add(ANN, "Key sk-abcdef1234567890 and the-servers-own word")
    assert await texts(book) == ["Key [redacted] and [redacted] word"]


async def test_a_secret_is_seen_through_characters_that_nobody_sees() -> None:
    book = notebook(10, 1000, "the-servers-own")
    await book.add(ANN, "the-ser\u200bvers-own")
    assert await texts(book) == ["[redacted]"]


async def test_a_note_of_another_tenant_does_not_exist() -> None:
    book = notebook()
    note = await book.add(ANN, "x")
    assert await book.get("key_1", note.id) == note
    with pytest.raises(NotFound):
        await book.get("key_2", note.id)


async def test_all_notes_of_a_user_are_forgotten_at_once() -> None:
    book = notebook()
    for owner in (ANN, Owner("key_1", "ann", "work"), Owner("key_1"), Owner("key_2", "ann")):
        await book.add(owner, "x")
    assert await book.clear(NoteFilter("key_1", "ann")) == 2
    assert len(await book.find(NoteFilter("key_1"))) == 1
    assert len(await book.find(NoteFilter("key_2"))) == 1
