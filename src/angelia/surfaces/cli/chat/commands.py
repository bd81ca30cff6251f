"""The slash commands of the chat: what each does at the server, and to the place of the chat."""

import difflib
import re
import shlex
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.cli.changed import newest_change
from angelia.surfaces.cli.chat import told
from angelia.surfaces.cli.chat.place import Place
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.server import PAGE, ExportForm, Server
from angelia.wire.runs.shapes import UndoIn
from angelia.wire.sessions.shapes import SessionOut

_SUFFIXES: dict[ExportForm, str] = {"markdown": ".md", "jsonl": ".jsonl"}
_FORMS = ("markdown", "jsonl")


class Obeyed(Struct, frozen=True):
    """What a command came to: Markdown to show, and what the chat does about it.

    `clear` empties the screen, `show_session` shows what was said in the session so far.
    """

    text: str
    leave: bool = False
    clear: bool = False
    show_session: bool = False


class Command(Struct, frozen=True):
    """`words` and `kind` are what may follow the name: some words, or names that a server has."""

    name: str
    arguments: str
    summary: str
    words: tuple[str, ...] = ()
    kind: str = ""


COMMANDS = (
    Command("help", "", "list the commands"),
    Command("new", "", "begin a new session"),
    Command("sessions", "[words]", "list the sessions, or search in them"),
    Command("resume", "session", "go on in a session: its number, id or title", kind="session"),
    Command("fork", "[title]", "go on in a copy of this session"),
    Command("undo", "[run] [--yes]", "take back what a run did to files", ("--yes", "--force")),
    Command("model", "[name]", "list the models, or choose one", kind="model"),
    Command("tools", "[name]", "list the tools, or describe one", kind="tool"),
    Command("memory", "[add text | forget id]", "list, add and forget notes", ("add", "forget")),
    Command("usage", "", "tokens and costs of this session and of today"),
    Command(
        "export", "[markdown | jsonl] [file]", "write this session to a file", tuple(_SUFFIXES)
    ),
    Command("quit", "", "leave"),
)
ALIASES = {"exit": "quit", "q": "quit", "?": "help", "session": "sessions", "models": "model"}


class SlashCommands:
    """Remembers what was listed and looked at last, so that short answers can refer to it."""

    def __init__(self, remote: Remote, place: Place, folder: Path | None = None) -> None:
        self._server = Server(remote)
        self._place = place
        self._folder = folder or Path.cwd()
        self._listed: tuple[str, ...] = ()
        self._looked_at: str | None = None
        self._commands: dict[str, Callable[[str], Awaitable[Obeyed]]] = {
            "help": self._help,
            "new": self._new,
            "sessions": self._sessions,
            "resume": self._resume,
            "fork": self._fork,
            "undo": self._undo,
            "model": self._model,
            "tools": self._tools,
            "memory": self._memory,
            "usage": self._usage,
            "export": self._export,
            "quit": self._quit,
        }

    async def obey(self, line: str) -> Obeyed:
        """What goes wrong is told as text: a slip of the pen ends no chat."""
        name, _, rest = line.strip().removeprefix("/").partition(" ")
        name = ALIASES.get(name.lower(), name.lower())
        command = self._commands.get(name)
        if command is None:
            return Obeyed(unknown(name))
        try:
            return await command(rest.strip())
        except AngeliaError as error:
            return Obeyed(told.harmless(str(error)))

    async def _help(self, _rest: str) -> Obeyed:
        lines = [
            f"- `/{one.name}{f' {one.arguments}' if one.arguments else ''}`: {one.summary}"
            for one in COMMANDS
        ]
        return Obeyed("\n".join([*lines, "- `@file`: send a file, an image or a folder's names"]))

    async def _new(self, _rest: str) -> Obeyed:
        self._place.begin_anew()
        return Obeyed("A new session begins with your next message.", clear=True)

    async def _quit(self, _rest: str) -> Obeyed:
        return Obeyed("", leave=True)

    # ── sessions ────────────────────────────────────────────────────────────────────────────

    async def _sessions(self, words: str) -> Obeyed:
        now = time.time()
        if words:
            hits = await self._server.search(words)
            self._listed = tuple(hit.session.id for hit in hits)
            return Obeyed(told.hits(hits, words, now))
        found = (await self._server.sessions()).data
        self._listed = tuple(session.id for session in found)
        return Obeyed(told.sessions(found, self._place.session_id, now))

    async def _resume(self, wanted: str) -> Obeyed:
        if not wanted:
            return await self._sessions("")
        session = await self._wanted(wanted)
        self._place.go_to(session.id, session.last_run_id)
        text = f"You are in **{told.plain(session.title)}** (`{session.id}`) again."
        return Obeyed(text, clear=True, show_session=True)

    async def _wanted(self, wanted: str) -> SessionOut:
        """By its number in the last list, its id, or words of its title."""
        listed = self._listed
        if wanted.isdecimal() and 0 < int(wanted) <= PAGE:
            listed = listed or tuple(one.id for one in (await self._server.sessions()).data)
            if int(wanted) <= len(listed):
                return await self._server.session(listed[int(wanted) - 1])
        try:
            return await self._server.session(wanted)
        except RequestError:
            return titled((await self._server.sessions(PAGE)).data, wanted)

    async def _fork(self, title: str) -> Obeyed:
        old = self._here()
        session = await self._server.fork(old, title or None)
        self._place.go_to(session.id, None)
        text = f"You are in a copy now: **{told.plain(session.title)}** (`{session.id}`). "
        return Obeyed(text + f"`/resume {old}` goes back.")

    async def _export(self, rest: str) -> Obeyed:
        session = await self._server.session(self._here())
        form: ExportForm = "markdown"
        word, _, name = rest.partition(" ")
        if word in ("markdown", "md", "jsonl"):
            form = "jsonl" if word == "jsonl" else "markdown"
        else:
            name, form = rest, "jsonl" if rest.endswith(".jsonl") else "markdown"
        data = await self._server.export(session.id, form)
        return Obeyed(_kept(self._folder, name.strip() or _file_name(session, form), data))

    # ── this chat ───────────────────────────────────────────────────────────────────────────

    async def _model(self, name: str) -> Obeyed:
        found = await self._server.models()
        if not name:
            return Obeyed(told.models(found, self._place.model))
        names = [one.id for one in found]
        fits = [one for one in names if name.lower() in one.lower()]
        if name not in names and len(fits) != 1:
            near = fits or difflib.get_close_matches(name, names, 3, 0.4) or names
            listed = ", ".join(f"`{one}`" for one in near)
            return Obeyed(f"There is no model `{name}`; there is {listed}.")
        self._place.model = name if name in names else fits[0]
        return Obeyed(f"`{self._place.model}` answers from now on.")

    async def _tools(self, name: str) -> Obeyed:
        found = await self._server.tools()
        if not name:
            return Obeyed(told.tools(found))
        named = [tool for tool in found if tool.name == name]
        if named:
            return Obeyed(told.tool(named[0]))
        near = difflib.get_close_matches(name, [tool.name for tool in found], 1)
        hint = f" Do you mean `{near[0]}`?" if near else ""
        return Obeyed(f"There is no tool `{name}`.{hint}")

    async def _memory(self, rest: str) -> Obeyed:
        word, _, what = rest.partition(" ")
        what = what.strip()
        if word in ("", "list"):
            return Obeyed(told.notes(await self._server.notes()))
        if word == "add" and what:
            note = await self._server.note(what)
            return Obeyed(f"Noted as `{note.id}`; runs that begin from now on know it.")
        if word == "forget" and what:
            await self._server.forget(what)
            return Obeyed(f"Forgot `{what}`.")
        return Obeyed("There is `/memory`, `/memory add TEXT` and `/memory forget ID`.")

    async def _usage(self, _rest: str) -> Obeyed:
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        report = await self._server.usage(today, today, "day")
        here = self._place.session_id
        runs = None if here is None else [r async for r in self._server.every_run(session_id=here)]
        return Obeyed(told.usage(runs, report.total))

    async def _undo(self, rest: str) -> Obeyed:
        """Looks first; `--yes` does what was looked at."""
        try:
            words = shlex.split(rest)
        except ValueError:
            words = rest.split()
        named = [word for word in words if not word.startswith("-")]
        force, yes = "--force" in words, "--yes" in words or named == ["yes"]
        run_id = named[0] if named and named != ["yes"] else await self._changed(yes=yes)
        if run_id is None:
            return Obeyed("No run of this session has changed files that could be brought back.")
        undone = await self._server.undo(run_id, UndoIn(force=force, dry_run=not yes))
        lines = told.undone(undone)
        if not (undone.restored or undone.removed or undone.conflicts):
            return Obeyed(f"`{run_id}` has nothing to undo.\n\n{lines}".rstrip())
        self._looked_at = None if yes else run_id
        hints = [] if yes else [f"`/undo --yes` does it (run `{run_id}`)."]
        if undone.conflicts and not force:
            hints.append("`--force` overrides what somebody else has changed.")
        return Obeyed("\n\n".join([lines, *hints]))

    async def _changed(self, *, yes: bool) -> str | None:
        if yes and self._looked_at is not None:
            return self._looked_at
        if self._place.session_id is None:
            return None
        return await newest_change(self._server, session_id=self._place.session_id)

    def _here(self) -> str:
        if self._place.session_id is None:
            raise RequestError("There is no session yet: it begins with your first message.")
        return self._place.session_id


def is_command(text: str) -> bool:
    """A path at the beginning of a message is none."""
    name = "".join(text.split(maxsplit=1)[:1])
    return name.startswith("/") and "/" not in name[1:]


def unknown(name: str) -> str:
    near = difflib.get_close_matches(name, [one.name for one in COMMANDS], 1, 0.5)
    hint = f"Do you mean `/{near[0]}`?" if near else "`/help` lists what there is."
    return f"There is no `/{told.plain(name)}`. {hint}"


def titled(found: list[SessionOut], words: str) -> SessionOut:
    """The one whose title this is, or the only one with these words in its title."""
    asked = words.lower()
    fits = [one for one in found if one.title.lower() == asked]
    fits = fits[:1] or [one for one in found if asked in one.title.lower()]
    if len(fits) == 1:
        return fits[0]
    if not fits:
        raise RequestError(f"There is no session {words!r}; /sessions lists them.")
    listed = ", ".join(f"{told.plain(one.title)} ({one.id})" for one in fits[:5])
    raise RequestError(f"Several sessions are called so: {listed}.")


def _file_name(session: SessionOut, form: ExportForm) -> str:
    words = re.sub(r"[^\w-]+", "-", session.title.lower())[:60].strip("-")
    return f"{words or session.id.replace('/', '-')}{_SUFFIXES[form]}"


def _kept(folder: Path, name: str, data: bytes) -> str:
    path = folder / Path(name).expanduser()
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        return f"`{path}` is there already; name another file behind the format."
    except OSError as error:
        return f"`{path}` cannot be written: {error.strerror}."
    return f"Written to `{path}`."
