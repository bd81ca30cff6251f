"""What Tab offers in the chat: slash commands, what follows them, and files behind `@`."""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from angelia.errors import AngeliaError
from angelia.surfaces.cli.chat.commands import COMMANDS, Command
from angelia.surfaces.cli.chat.told import first_sentence
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.screen import harmless
from angelia.surfaces.cli.server import Server

FRESH_SECONDS = 10.0
MOST_FILES = 100
_FILE = re.compile(r'(?<![\w@.+-])@(?:"(?P<quoted>[^"\n]*)|(?P<plain>[^\s"@]*))$')


class Name(Struct, frozen=True):
    """Something that can be named behind a command, and what it is."""

    text: str
    about: str


class Known:
    """Names that the server has, as they were when it was asked last."""

    def __init__(self, remote: Remote) -> None:
        self._server = Server(remote)
        self._names: dict[str, tuple[Name, ...]] = {}

    def names(self, kind: str) -> tuple[Name, ...]:
        return self._names.get(kind, ())

    async def refresh(self) -> None:
        """What cannot be asked stays as it was."""
        try:
            sessions = (await self._server.sessions(50)).data
            models, tools = await self._server.models(), await self._server.tools()
        except AngeliaError:
            return
        self._names = {
            "session": tuple(Name(one.id, harmless(one.title)) for one in sessions),
            "model": tuple(Name(one.id, one.owned_by) for one in models),
            "tool": tuple(Name(one.name, first_sentence(one.description)) for one in tools),
        }


class ChatCompleter(Completer):
    """Never waits for the server: offers what it knows, and learns the rest for the next time."""

    def __init__(self, remote: Remote, folder: Path) -> None:
        self._known = Known(remote)
        self._folder = folder
        self.learning: asyncio.Task[None] | None = None
        self._learnt_at = float("-inf")

    async def learn(self) -> None:
        """Asks the server for names now."""
        await self._known.refresh()
        self._learnt_at = asyncio.get_running_loop().time()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        self._learn_in_time()
        for completion in self.get_completions(document, complete_event):
            yield completion

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        before = document.text_before_cursor
        if (file := _FILE.search(before)) is not None:
            return _files(file, self._folder)
        if not before.startswith("/") or "\n" in before:
            return ()
        name, space, rest = before[1:].partition(" ")
        return self._arguments(name, rest) if space else _commands(name)

    def _arguments(self, name: str, rest: str) -> Iterator[Completion]:
        command = next((one for one in COMMANDS if one.name == name), None)
        if command is None:
            return
        typed = rest.rpartition(" ")[2]
        yield from _offered(command, typed, first=" " not in rest)
        for known in self._known.names(command.kind):
            if known.text.startswith(rest) or (command.kind == "session" and _titled(rest, known)):
                yield Completion(known.text, -len(rest), display_meta=known.about)

    def _learn_in_time(self) -> None:
        stale = asyncio.get_running_loop().time() - self._learnt_at > FRESH_SECONDS
        if stale and (self.learning is None or self.learning.done()):
            self.learning = asyncio.create_task(self.learn())


def _commands(typed: str) -> Iterator[Completion]:
    for one in COMMANDS:
        if one.name.startswith(typed):
            shown = f"/{one.name} {one.arguments}".rstrip()
            yield Completion(one.name, -len(typed), display=shown, display_meta=one.summary)


def _offered(command: Command, typed: str, *, first: bool) -> Iterator[Completion]:
    for word in command.words:
        if word.startswith(typed) and (first or word.startswith("-")):
            yield Completion(word, -len(typed))


def _titled(typed: str, known: Name) -> bool:
    """A session is found by words of its title: ids are nothing that people remember."""
    return len(typed) > 1 and typed.lower() in known.about.lower()


def _files(found: re.Match[str], folder: Path) -> Iterator[Completion]:
    quoted: str | None = found["quoted"]
    typed: str = found["plain"] if quoted is None else quoted
    parent, slash, begun = typed.rpartition("/")
    where = folder / Path(f"{parent}{slash}" or ".").expanduser()
    for path in _inside(where, begun):
        name = f"{parent}{slash}{path.name}"
        is_folder = path.is_dir()
        ending = "/" if is_folder else ""
        needs_quotes = quoted is not None or " " in name
        text = f'"{name}{ending}{"" if is_folder else chr(34)}' if needs_quotes else name + ending
        # The mark stays; the quote that was typed is typed again.
        begin = -len(typed) - (0 if quoted is None else 1)
        yield Completion(text, begin, display=path.name + ending)


def _inside(folder: Path, begun: str) -> list[Path]:
    """Names that begin so; hidden ones for who begins with a dot."""
    try:
        found = sorted(folder.iterdir())
    except OSError:
        return []
    shown = (path for path in found if path.name.startswith(begun))
    return [path for path in shown if begun.startswith(".") or path.name[0] != "."][:MOST_FILES]
