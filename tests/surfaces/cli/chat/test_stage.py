"""The stage on a real terminal, whose other end the test reads."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from io import TextIOWrapper

import pytest
from prompt_toolkit.application.current import create_app_session
from prompt_toolkit.input import create_pipe_input

from angelia.surfaces.cli.chat.blocks import Live, Prose
from angelia.surfaces.cli.chat.paint import Painter
from angelia.surfaces.cli.chat.stage import Owner, Stage


class Writing(Owner):
    """Nothing turns or counts: the screen changes only when the stage is told to."""

    def __init__(self, text: str) -> None:
        self.text = text

    def live(self) -> Live:
        return Live(prose=self.text)


class Counting(TextIOWrapper):
    flushes = 0

    def flush(self) -> None:
        self.flushes += 1
        super().flush()


class Terminal:
    def __init__(self) -> None:
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        self.file = Counting(os.fdopen(slave, "wb"), encoding="utf-8")

    def read(self) -> str:
        """All that was written since the last time."""
        try:
            return os.read(self._master, 1_000_000).decode()
        except BlockingIOError:
            return ""

    async def shows(self, words: str) -> None:
        seen = ""
        while words not in seen:
            await asyncio.sleep(0.01)
            seen += self.read()

    def close(self) -> None:
        self.file.close()
        os.close(self._master)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.close()


@asynccontextmanager
async def played(owner: Owner, terminal: Terminal) -> AsyncIterator[Stage]:
    with (
        create_pipe_input() as typed,
        create_app_session(input=typed),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdout", terminal.file)
        patch.setenv("TERM", "xterm")
        stage = Stage(owner, Painter(), prompt=False)
        playing = asyncio.create_task(stage.run())
        yield stage
        stage.leave(0)
        assert await playing == 0


async def test_what_stands_for_good_is_not_shown_as_unfinished_any_more(terminal: Terminal) -> None:
    owner = Writing("the words")
    async with played(owner, terminal) as stage:
        await terminal.shows("the words")
        owner.text = ""
        stage.show([Prose("the words")])
        assert terminal.read().count("the words") == 1


async def test_what_is_erased_comes_back_in_the_same_write(terminal: Terminal) -> None:
    async with played(Writing("unfinished"), terminal) as stage:
        await terminal.shows("unfinished")
        before = terminal.file.flushes
        stage.show([Prose("for good")])
        assert terminal.file.flushes == before + 1
        shown = terminal.read()
        assert shown.index("\x1b[J") < shown.index("for good") < shown.index("unfinished")
