import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.memories import MemoryMemories
from angelia.core.notes import Bounds, Owner
from angelia.errors import ToolError
from angelia.ports import Caller
from angelia.runtime.notebook import Notebook
from angelia.tools.memory import memory
from tests.tools.watching import Watcher


class Anns(Watcher):
    caller = Caller("key_1", user="ann", session_key="work")


ANN = Owner("key_1", "ann", "work")


def notebook(bounds: Bounds | None = None) -> Notebook:
    return Notebook(MemoryMemories(), ManualClock(), bounds)


async def ask(book: Notebook, **arguments: object) -> str:
    output = await memory(book).call(json.dumps(arguments), Anns())
    assert output.outcome == "ok"
    return output.text


async def texts(book: Notebook) -> list[str]:
    return [note.text for note in await book.notes(ANN)]


async def test_a_note_is_added_for_the_caller_and_knows_its_run() -> None:
    book = notebook()
    said = await ask(book, action="add", text="Likes tea.", kind="user")
    (note,) = await book.notes(ANN)
    assert (note.text, note.kind, note.run_id) == ("Likes tea.", "user", "run_1")
    assert said == f"Noted as {note.id}. 1 of 100 notes, 10 of 10,000 characters are used."


async def test_adding_again_after_a_crash_adds_nothing() -> None:
    book = notebook()
    for _ in range(2):
        await ask(book, action="add", text="Likes tea.")
    assert await texts(book) == ["Likes tea."]


async def test_replacing_again_after_a_crash_finds_it_done() -> None:
    book = notebook()
    await book.add(ANN, "Likes tea.")
    for _ in range(2):
        said = await ask(book, action="replace", note="tea", text="Likes coffee.")
        assert said.startswith("Changed ")
    assert await texts(book) == ["Likes coffee."]


async def test_notes_are_replaced_and_removed_by_id_or_by_words() -> None:
    book = notebook()
    tea = await book.add(ANN, "Likes tea.")
    await book.add(ANN, "Staging is heron.")
    await ask(book, action="replace", note=tea.id, text="Likes green tea.")
    await ask(book, action="replace", note="HERON", text="Staging is egret.")
    assert await texts(book) == ["Likes green tea.", "Staging is egret."]
    assert "Forgot" in await ask(book, action="remove", note="green")
    assert await texts(book) == ["Staging is egret."]
    listed = await ask(book, action="list")
    assert "] Staging is egret. (note)\n1 of 100 notes" in listed


async def test_what_is_not_clear_is_asked_for_again() -> None:
    book = notebook()
    with pytest.raises(ToolError, match=r"no note like 'tea'\. There are none"):
        await ask(book, action="remove", note="tea")
    await book.add(ANN, "Likes tea.")
    await book.add(ANN, "Hates tea bags.")
    with pytest.raises(ToolError, match="2 notes fit; name one by its id") as several:
        await ask(book, action="remove", note="tea")
    assert "Likes tea." in str(several.value)
    with pytest.raises(ToolError, match="'note' says which note to replace"):
        await ask(book, action="replace", text="x")
    with pytest.raises(ToolError, match="needs some text"):
        await ask(book, action="replace", note="Hates", text=" ")
    assert len(await texts(book)) == 2


async def test_a_full_memory_has_to_be_condensed() -> None:
    book = notebook(Bounds(1, 100))
    await ask(book, action="add", text="one")
    with pytest.raises(ToolError, match="Replace several notes by a shorter one"):
        await ask(book, action="add", text="two")


async def test_a_secret_is_left_out_and_the_model_is_told() -> None:
    book = notebook()
    said = await ask(book, action="add", text="The key is sk-abcdef1234567890.")
    assert "looked like a secret was left out" in said
    assert "abcdef" not in (await texts(book))[0]


async def test_notes_of_others_are_out_of_reach() -> None:
    book = notebook()
    other = await book.add(Owner("key_1", "bob"), "Bob's own")
    with pytest.raises(ToolError, match="no note like"):
        await ask(book, action="remove", note=other.id)
    assert "0 of 100 notes" in await ask(book, action="list")


def test_it_needs_no_person_and_keeps_its_order() -> None:
    tool = memory(notebook())
    assert (tool.spec.effect, tool.toolset) == ("idempotent", "memory")
    assert tool.lane('{"action": "list"}') == "memory"
    assert tool.label('{"action": "add", "text": "Likes\\ntea."}') == "add Likes"


WORDS = st.text(max_size=12) | st.sampled_from(["note_", "\ud800", "\x00", "tea"])


@given(
    st.fixed_dictionaries(
        {"action": st.sampled_from(["add", "replace", "remove", "list"])},
        optional={"text": WORDS, "note": WORDS, "kind": st.sampled_from(["user", "note", "x"])},
    )
)
async def test_whatever_it_is_called_with_there_is_a_result(arguments: dict[str, Any]) -> None:
    book = notebook()
    await book.add(ANN, "Likes tea.")
    try:
        said = (await memory(book).call(json.dumps(arguments), Anns())).text
    except ToolError as error:
        said = str(error)
    assert said
