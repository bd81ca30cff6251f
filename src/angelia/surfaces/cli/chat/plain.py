"""A chat without a terminal worth the name: lines in, the answer out, the rest to stderr."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from angelia.surfaces.cli.ask import Ask, Consent, Conversation, typed_line
from angelia.surfaces.cli.chat.attachments import attached
from angelia.surfaces.cli.chat.commands import SlashCommands, is_command
from angelia.surfaces.cli.chat.following import followed
from angelia.surfaces.cli.chat.place import Place
from angelia.surfaces.cli.chat.talk import NewRun, Started
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.render import Piece
from angelia.surfaces.cli.screen import Screen


class Lines:
    """`alone` is whether nobody else can answer what a run asks."""

    def __init__(
        self, remote: Remote, place: Place, commands: SlashCommands, folder: Path, *, alone: bool
    ) -> None:
        self._source = _Turns(remote, place, folder, shared=not alone)
        self._commands = commands
        self._screen = self._source.screen
        self._typed = sys.stdin.isatty()

    async def go(self, prompt: str | None) -> int:
        """The exit code of the last turn that did not end well, else 0."""
        code = Exit.COMPLETED if prompt is None else await self._line(prompt)
        reader = None if self._typed else _Reader()
        # A person who stops a turn has more to say.
        while self._typed or code != Exit.INTERRUPTED:
            if self._typed:
                self._screen.show((Piece("> ", "err", "dim"),))
            line = await (typed_line() if reader is None else reader.line())
            if not line:
                break
            if line.strip() and (ended := await self._line(line.strip())) is not None:
                code = ended or code
            elif line.strip():
                break
        return int(code or 0)

    async def _line(self, line: str) -> int | None:
        """The exit code of a turn, 0 for a command; None to leave."""
        if is_command(line):
            obeyed = await self._commands.obey(line)
            if obeyed.text:
                self._screen.show((Piece(f"{obeyed.text}\n"),))
            return None if obeyed.leave else Exit.COMPLETED
        return await Conversation(self._source, self._screen).run(Ask(line))


class _Turns:
    """Runs of one session, one after another."""

    def __init__(self, remote: Remote, place: Place, folder: Path, *, shared: bool) -> None:
        self._remote = remote
        self._place = place
        self._folder = folder
        self.shared = shared
        self.screen = Screen(os.environ)

    async def start(self, ask: Ask) -> str:
        sent = attached(ask.prompt, self._folder)
        self.screen.show(Piece(f"   {note}\n", "err", "dim") for note in sent.notes)
        wanted = NewRun(sent.input, self._place.model, self._place.session_id)
        answer = await self._remote.ask("POST", "/v1/runs", wanted)
        started = msgspec.json.decode(answer, type=Started)
        self._place.go_to(started.session_id, started.run_id)
        return started.run_id

    def events(self, run_id: str) -> AsyncIterator[bytes]:
        return followed(self._remote, run_id, 0, _Told(self.screen))

    async def stop(self, run_id: str) -> None:
        await self._remote.stop(run_id)

    async def consent(self, run_id: str, approval_id: str, choice: Consent, reason: str) -> None:
        await self._remote.consent(run_id, approval_id, choice, reason)


class _Told:
    """Says once that a connection is lost, and once that it is there again."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._lost = False

    def __call__(self, lost: bool) -> None:
        if lost != self._lost:
            self._lost = lost
            word = "reconnecting …" if lost else "connected again"
            self._screen.show((Piece(f"note: {word}\n", "err", "dim"),))


class _Reader:
    """Lines of a pipe or a file, waited for in a thread that ends with the process."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    async def line(self) -> str:
        """Empty at the end."""
        return await self._lines.get()

    def _read(self) -> None:
        line = "…"
        while line:
            line = sys.stdin.readline()
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
