"""What every store of notes promises."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.memories import MemoryMemories
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.memories import SqliteMemories
from angelia.core.notes import Note
from angelia.errors import NotFound
from angelia.ports import MemoryStore, NoteFilter

PLAIN = Note("note_1", "key_1", "Ä note\nof two lines", 1.0, 2.0)
ANNS = Note("note_2", "key_1", "x", 3.0, 3.0, "user", "ann", "work", "run_1")
OTHER = Note("note_3", "key_1", "y", 4.0, 4.0, "note", "ann")
FOREIGN = Note("note_1", "key_2", "z", 0.0, 0.0, "note", "ann", "work")
ALL = (PLAIN, ANNS, OTHER, FOREIGN)


class Opened(Struct):
    store: MemoryStore
    reopen: Callable[[], Coroutine[Any, Any, None]]


@pytest.fixture(params=["memory", "sqlite"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    if request.param == "memory":
        yield Opened(MemoryMemories(), nothing)
        return
    databases = [Database.open(tmp_path / "db", clock=ManualClock())]

    async def reopen() -> None:
        await databases[-1].close()
        databases.append(Database.open(tmp_path / "db", clock=ManualClock()))
        opened.store = SqliteMemories(databases[-1])

    opened = Opened(SqliteMemories(databases[-1]), reopen)
    yield opened
    await databases[-1].close()


async def nothing() -> None:
    """Memory has nothing to come back to."""


async def filled(opened: Opened) -> MemoryStore:
    for note in ALL:
        await opened.store.put(note)
    await opened.reopen()
    return opened.store


async def test_what_was_put_is_there_after_a_restart(opened: Opened) -> None:
    store = await filled(opened)
    assert await store.get("key_1", "note_1") == PLAIN
    assert await store.get("key_2", "note_1") == FOREIGN
    assert await store.get("key_2", "note_2") is None


async def test_notes_are_found_by_their_owner(opened: Opened) -> None:
    store = await filled(opened)

    async def found(*wanted: Any) -> list[Note]:
        return list(await store.find(NoteFilter("key_1", *wanted)))

    assert await found() == [PLAIN, ANNS, OTHER]
    assert await found("ann") == [ANNS, OTHER]
    assert await found("ann", "work") == [ANNS]
    assert await found("ann", None) == [OTHER]
    assert await found(None) == [PLAIN]
    assert await found(None, "work") == []
    assert await found("bob") == []


async def test_notes_come_in_pages(opened: Opened) -> None:
    store = await filled(opened)
    first = await store.find(NoteFilter("key_1", limit=2))
    assert list(first) == [PLAIN, ANNS]
    assert list(await store.find(NoteFilter("key_1", after="note_2", limit=2))) == [OTHER]
    with pytest.raises(NotFound):
        await store.find(NoteFilter("key_2", after="note_2"))


async def test_a_change_does_not_move_a_note(opened: Opened) -> None:
    store = await filled(opened)
    changed = replace(PLAIN, text="other", updated_at=9.0, kind="user")
    await store.put(changed)
    assert list(await store.find(NoteFilter("key_1"))) == [changed, ANNS, OTHER]
    assert await store.get("key_2", "note_1") == FOREIGN


async def test_a_deleted_note_is_gone_and_may_be_deleted_again(opened: Opened) -> None:
    store = await filled(opened)
    assert await store.delete("key_1", "note_1")
    assert not await store.delete("key_1", "note_1")
    assert not await store.delete("key_2", "note_2")
    await opened.reopen()
    assert list(await opened.store.find(NoteFilter("key_1"))) == [ANNS, OTHER]
    assert await opened.store.get("key_2", "note_1") == FOREIGN


async def test_all_of_one_owner_go_together(opened: Opened) -> None:
    store = await filled(opened)
    assert await store.clear(NoteFilter("key_1", "ann", "nothing")) == 0
    assert await store.clear(NoteFilter("key_1", "ann")) == 2
    assert list(await store.find(NoteFilter("key_1"))) == [PLAIN]
    assert await store.clear(NoteFilter("key_1", None)) == 1
    assert await store.get("key_2", "note_1") == FOREIGN


async def test_text_that_is_not_unicode_hurts_its_caller_alone(opened: Opened) -> None:
    if isinstance(opened.store, SqliteMemories):
        with pytest.raises(UnicodeEncodeError):
            await opened.store.put(replace(PLAIN, text="\ud800"))
    await opened.store.put(ANNS)
    assert list(await opened.store.find(NoteFilter("key_1"))) == [ANNS]
