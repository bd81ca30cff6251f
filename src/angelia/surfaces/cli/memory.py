"""The commands `angelia memory …`. What they need is imported when they are called."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from angelia.config import Settings
    from angelia.runtime.services import Services
    from angelia.surfaces.cli.notes import Desk

Home = Annotated[Path | None, typer.Option(help="Home folder, instead of ANGELIA_HOME.")]
User = Annotated[str | None, typer.Option(help="The end user whose notes are meant.")]
SessionKey = Annotated[
    str | None, typer.Option(help="The scope that clients name as X-Hermes-Session-Key.")
]
NoteId = Annotated[str, typer.Argument(help="The id of a note.")]
NoteText = Annotated[str, typer.Argument(help="What to note.")]
Json = Annotated[bool, typer.Option("--json", help="The same as JSON.")]


class Opening(Protocol):
    def open_services(self, settings: "Settings") -> "AbstractAsyncContextManager[Services]": ...


class Commands:
    """`settings` are those of a home folder; `reported` makes one line of what goes wrong."""

    def __init__(
        self,
        parts: Opening,
        settings: "Callable[[Path | None], Settings]",
        reported: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._parts = parts
        self._settings = settings
        self._reported = reported

    def list(
        self,
        user: User = None,
        session_key: SessionKey = None,
        json: Json = False,
        home: Home = None,
    ) -> None:
        """List the notes; of everybody, unless a user or a scope is named."""
        self._do(home, lambda desk: desk.list(user, session_key, as_json=json))

    def add(
        self,
        text: NoteText,
        user: User = None,
        session_key: SessionKey = None,
        about_user: Annotated[
            bool, typer.Option("--about-user", help="It is a fact about the user.")
        ] = False,
        home: Home = None,
    ) -> None:
        """Note something."""
        kind = "user" if about_user else "note"
        self._do(home, lambda desk: desk.add(text, kind, user, session_key))

    def edit(self, note_id: NoteId, text: NoteText, home: Home = None) -> None:
        """Give a note another text."""
        self._do(home, lambda desk: desk.edit(note_id, text))

    def forget(
        self,
        note_id: Annotated[str | None, typer.Argument(help="The id of a note.")] = None,
        everything: Annotated[
            bool, typer.Option("--all", help="All notes of the user, or of no user.")
        ] = False,
        user: User = None,
        session_key: SessionKey = None,
        home: Home = None,
    ) -> None:
        """Forget a note, or all of a user."""
        if (note_id is None) != everything:
            raise typer.BadParameter("name one note by its id, or say --all")
        if note_id is not None:
            self._do(home, lambda desk: desk.forget(note_id))
        else:
            self._do(home, lambda desk: desk.clear(user, session_key))

    def _do(self, home: Path | None, work: "Callable[[Desk], Coroutine[Any, Any, None]]") -> None:
        import asyncio

        from angelia.surfaces.cli.notes import at_desk

        with self._reported():
            asyncio.run(at_desk(self._parts.open_services, self._settings(home), work))


def build(
    parts: Opening,
    settings: "Callable[[Path | None], Settings]",
    reported: Callable[[], AbstractContextManager[None]],
) -> typer.Typer:
    commands = Commands(parts, settings, reported)
    app = typer.Typer(
        name="memory",
        help="List, add, edit and forget notes of users.",
        no_args_is_help=True,
    )
    for command in (commands.list, commands.add, commands.edit, commands.forget):
        app.command()(command)
    return app
