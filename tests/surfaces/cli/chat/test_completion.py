"""What Tab offers, with names from a real server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from angelia.surfaces.cli.ask import Ask
from angelia.surfaces.cli.chat.commands import COMMANDS
from angelia.surfaces.cli.chat.completion import ChatCompleter
from angelia.surfaces.cli.remote import Remote
from tests.support.process import free_port
from tests.support.server import AngeliaServer


def offered(completer: ChatCompleter, text: str) -> list[str]:
    """The line as it would be with each of the offers."""
    found = completer.get_completions(Document(text), CompleteEvent())
    return [text[: len(text) + one.start_position] + one.text for one in found]


@pytest.fixture
async def remote(demo_server: AngeliaServer) -> AsyncIterator[Remote]:
    async with Remote(demo_server.url, demo_server.key) as remote:
        yield remote


@pytest.fixture
def completer(remote: Remote, tmp_path: Path) -> ChatCompleter:
    return ChatCompleter(remote, tmp_path)


def test_commands_are_offered_with_what_they_do(completer: ChatCompleter) -> None:
    assert offered(completer, "/") == [f"/{one.name}" for one in COMMANDS]
    assert offered(completer, "/re") == ["/resume"]
    found = list(completer.get_completions(Document("/und"), CompleteEvent()))
    assert found[0].display_text == "/undo [run] [--yes]"
    assert "take back" in found[0].display_meta_text


def test_a_question_is_not_completed(completer: ChatCompleter) -> None:
    for text in ("what is /re", "hello", "", "/help\n/re"):
        assert offered(completer, text) == []


def test_words_that_follow_a_command_are_offered(completer: ChatCompleter) -> None:
    assert offered(completer, "/export j") == ["/export jsonl"]
    assert offered(completer, "/memory ") == ["/memory add", "/memory forget"]
    assert offered(completer, "/memory add f") == []
    assert offered(completer, "/undo run_1 --y") == ["/undo run_1 --yes"]
    assert offered(completer, "/nothing ") == []


async def test_names_of_the_server_are_offered(remote: Remote, completer: ChatCompleter) -> None:
    run_id = await remote.start(Ask("long 2 about completion", session="completing"))
    async for _ in remote.events(run_id):
        pass
    assert offered(completer, "/model ") == []
    await completer.learn()
    assert "/model angelia" in offered(completer, "/model ")
    assert offered(completer, "/tools termin") == ["/tools terminal"]
    assert offered(completer, "/resume complet") == ["/resume completing"]
    # Whoever does not know the id types words of the title.
    assert offered(completer, "/resume About comp") == ["/resume completing"]
    assert offered(completer, "/resume about fish") == []


async def test_names_are_learnt_while_people_type(completer: ChatCompleter) -> None:
    async def typed() -> list[str]:
        document = Document("/tools termi")
        found = completer.get_completions_async(document, CompleteEvent())
        return [one.text async for one in found]

    assert await typed() == []
    assert completer.learning is not None
    await completer.learning
    assert await typed() == ["terminal"]


async def test_a_server_that_is_gone_is_no_trouble(tmp_path: Path) -> None:
    async with Remote(f"http://127.0.0.1:{free_port()}", "key") as remote:
        completer = ChatCompleter(remote, tmp_path)
        await completer.learn()
        assert offered(completer, "/model ") == []


def test_files_are_offered_behind_the_mark(completer: ChatCompleter, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.py").touch()
    (tmp_path / "src" / "my notes.txt").touch()
    (tmp_path / ".hidden").touch()
    assert offered(completer, "look at @") == ["look at @src/"]
    assert offered(completer, "@.h") == ["@.hidden"]
    assert offered(completer, "@src/ma") == ["@src/main.py"]
    assert offered(completer, "@src/my") == ['@"src/my notes.txt"']
    assert offered(completer, '@"src/my n') == ['@"src/my notes.txt"']
    assert offered(completer, '@"sr') == ['@"src/']
    assert offered(completer, "ann@sr") == []
    assert offered(completer, "@nowhere/") == []
    assert offered(completer, "/sessions @src/ma") == ["/sessions @src/main.py"]
