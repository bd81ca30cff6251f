"""Slash commands, each at a real server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import Struct

from angelia.errors import RequestError
from angelia.surfaces.cli.ask import Ask
from angelia.surfaces.cli.chat.commands import COMMANDS, Obeyed, SlashCommands, titled
from angelia.surfaces.cli.chat.place import Place
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.server import Server
from tests.support.server import AngeliaServer


class Chat(Struct):
    remote: Remote
    place: Place
    commands: SlashCommands
    folder: Path

    async def ask(self, prompt: str, session: str) -> str:
        """A turn of the session, to its end; the chat is there then."""
        run_id = await self.remote.start(Ask(prompt, session=session))
        async for _ in self.remote.events(run_id):
            pass
        self.place.go_to(session, run_id)
        return run_id

    async def obey(self, line: str) -> Obeyed:
        return await self.commands.obey(line)

    async def says(self, line: str) -> str:
        return (await self.obey(line)).text


@pytest.fixture
async def chat(server: AngeliaServer, tmp_path: Path) -> AsyncIterator[Chat]:
    async with Remote(server.url, server.key) as remote:
        place = Place()
        yield Chat(remote, place, SlashCommands(remote, place, tmp_path), tmp_path)


async def test_help_lists_every_command(chat: Chat) -> None:
    said = await chat.says("/help")
    assert all(f"`/{one.name}" in said for one in COMMANDS)
    # Each that is listed is there.
    for one in COMMANDS:
        assert "There is no `/" not in await chat.says(f"/{one.name}")


async def test_an_unknown_command_is_answered_with_the_nearest(chat: Chat) -> None:
    assert await chat.says("/resme x") == "There is no `/resme`. Do you mean `/resume`?"
    assert "`/help`" in await chat.says("/zzzzzz")


async def test_quit_leaves_by_any_of_its_names(chat: Chat) -> None:
    for line in ("/quit", "/exit", "/q", " /QUIT "):
        assert (await chat.obey(line)).leave


async def test_a_new_session_forgets_the_place(chat: Chat) -> None:
    await chat.ask("long 2", "old")
    obeyed = await chat.obey("/new")
    assert obeyed.clear
    assert (chat.place.session_id, chat.place.last_run) == (None, None)


async def test_sessions_are_listed_searched_and_resumed_by_number_id_and_title(chat: Chat) -> None:
    assert await chat.says("/sessions") == "There are no sessions yet."
    await chat.ask("long 2 about herons", "birds")
    last = await chat.ask("long 3 about pike", "fish")
    listed = await chat.says("/sessions")
    assert listed.index("`fish`") < listed.index("`birds`")
    assert "**here**" in listed.splitlines()[0]

    by_number = await chat.obey("/resume 2")
    assert (by_number.show_session, chat.place.session_id) == (True, "birds")
    assert (await chat.obey("/resume fish")).show_session
    assert (chat.place.session_id, chat.place.last_run) == ("fish", last)
    await chat.obey("/resume HERONS")
    assert chat.place.session_id == "birds"

    found = await chat.says("/sessions pike")
    assert "`fish`" in found
    assert "`birds`" not in found
    await chat.obey("/resume 1")
    assert chat.place.session_id == "fish"
    assert "Nothing was said" in await chat.says("/sessions unicorn")


async def test_a_session_that_nobody_knows_leaves_the_place_as_it_is(chat: Chat) -> None:
    await chat.ask("long 2", "here")
    assert "There is no session" in await chat.says("/resume atlantis")
    assert chat.place.session_id == "here"


async def test_a_title_that_several_have_is_not_guessed(chat: Chat) -> None:
    await chat.ask("long 2 one", "a")
    await chat.ask("long 2 two", "b")
    sessions = (await Server(chat.remote).sessions()).data
    with pytest.raises(RequestError, match="Several"):
        titled(sessions, "long 2")
    assert titled(sessions, "LONG 2 ONE").id == "a"


async def test_a_fork_knows_what_was_said_and_the_chat_goes_on_in_it(chat: Chat) -> None:
    assert "no session yet" in await chat.says("/fork")
    await chat.ask("long 2", "trunk")
    said = await chat.says("/fork Another way")
    assert "**Another way**" in said
    assert "/resume trunk" in said
    assert chat.place.session_id not in (None, "trunk")
    session = await Server(chat.remote).session(chat.place.session_id or "")
    assert (session.forked_from, session.title) == ("trunk", "Another way")


async def test_undo_looks_first_and_then_does_what_was_looked_at(
    chat: Chat, server: AngeliaServer
) -> None:
    assert "No run of this session" in await chat.says("/undo")
    run_id = await chat.ask("write plan.txt: first", "work")
    await chat.ask("long 2", "work")
    looked = await chat.says("/undo")
    assert "would be removed: `plan.txt`" in looked
    assert run_id in looked
    plan = next(server.home.parent.rglob("plan.txt"))
    # Another run in between does not change what was agreed to.
    await chat.ask("write other.txt: second", "work")
    assert "removed: `plan.txt`" in await chat.says("/undo --yes")
    assert not plan.exists()
    assert plan.with_name("other.txt").exists()
    assert "other.txt" in await chat.says("/undo")
    assert "nothing to undo" in await chat.says(f"/undo {run_id} --yes")


async def test_undo_says_how_to_override_what_others_changed(
    chat: Chat, server: AngeliaServer
) -> None:
    await chat.ask("write plan.txt: first", "work")
    plan = next(server.home.parent.rglob("plan.txt"))
    plan.write_text("mine")
    assert "left alone: `plan.txt`" in await chat.says("/undo --yes")
    assert plan.read_text() == "mine"
    assert "removed: `plan.txt`" in await chat.says("/undo --yes --force")
    assert not plan.exists()


async def test_a_model_is_chosen_by_its_name_or_a_part_of_it(chat: Chat) -> None:
    assert "`angelia`" in await chat.says("/model")
    assert "There is no model `nobody`" in await chat.says("/model nobody")
    assert chat.place.model is None
    await chat.says("/model angelia")
    assert chat.place.model == "angelia"
    assert "**chosen**" in await chat.says("/model")


async def test_tools_are_listed_and_described(chat: Chat) -> None:
    assert "`terminal`" in await chat.says("/tools")
    assert "toolset `" in await chat.says("/tools terminal")
    assert "Do you mean `terminal`?" in await chat.says("/tools terminl")


async def test_notes_are_added_listed_and_forgotten(chat: Chat) -> None:
    assert "There are no notes" in await chat.says("/memory")
    said = await chat.says("/memory add Likes *tea*.")
    note_id = said.split("`")[1]
    assert f"`{note_id}` Likes \\*tea\\*." in await chat.says("/memory list")
    assert await chat.says(f"/memory forget {note_id}") == f"Forgot `{note_id}`."
    assert "There are no notes" in await chat.says("/memory")
    assert "/memory add TEXT" in await chat.says("/memory dance")
    assert "note_none" in await chat.says("/memory forget note_none")


async def test_usage_counts_the_session_and_the_day(chat: Chat) -> None:
    assert "this session" not in await chat.says("/usage")
    await chat.ask("long 2", "one")
    await chat.ask("long 2", "two")
    said = await chat.says("/usage")
    assert "this session: 1 run, 4 tokens" in said
    assert "today (UTC): 2 runs, 8 tokens" in said


async def test_a_session_is_exported_to_a_file_that_was_not_there(chat: Chat) -> None:
    await chat.ask("long 2 / words?", "one")
    assert "long-2-words.md`" in await chat.says("/export")
    assert (chat.folder / "long-2-words.md").read_text().startswith("# long 2")
    assert "is there already" in await chat.says("/export")
    await chat.says("/export jsonl")
    assert (chat.folder / "long-2-words.jsonl").read_text().startswith('{"object":"hermes.session"')
    await chat.says("/export jsonl my file.txt")
    assert (chat.folder / "my file.txt").read_text().startswith("{")
    await chat.says("/export named.jsonl")
    assert (chat.folder / "named.jsonl").read_text().startswith("{")
    assert "cannot be written" in await chat.says("/export markdown no/where.md")
