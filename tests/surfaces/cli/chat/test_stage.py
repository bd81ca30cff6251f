"""The stage on a real terminal, whose other end the test reads."""

import asyncio
import os

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


class Terminal:
    def __init__(self) -> None:
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        self.file = os.fdopen(slave, "w")

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


async def test_what_stands_for_good_is_not_shown_as_unfinished_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal, owner = Terminal(), Writing("the words")
    monkeypatch.setattr("sys.stdout", terminal.file)
    monkeypatch.setenv("TERM", "xterm")
    with create_pipe_input() as typed, create_app_session(input=typed):
        stage = Stage(owner, Painter(), prompt=False)
        playing = asyncio.create_task(stage.run())
        await terminal.shows("the words")
        owner.text = ""
        stage.show([Prose("the words")])
        assert terminal.read().count("the words") == 1
        stage.leave(0)
        assert await playing == 0
    terminal.close()
