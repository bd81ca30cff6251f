"""The commands `angelia sessions …`. What they need is imported when they are called."""

from typing import Annotated, Literal

import typer

from angelia.surfaces.cli.at_server import AtServer
from angelia.surfaces.cli.completing import offer_runs, offer_sessions
from angelia.surfaces.cli.options import AsJson, Home, OutFile, Yes

SessionId = Annotated[
    str, typer.Argument(help="The id of a session.", autocompletion=offer_sessions)
]
# `list` is a command below.
Words = list[str]
Limit = Annotated[int, typer.Option(min=1, help="How many at most.")]
Form = Annotated[
    Literal["markdown", "jsonl"], typer.Option("--as", help="For people, or for programs.")
]


def register(root: typer.Typer, at_server: AtServer) -> None:
    commands = SessionCommands(at_server)
    sessions = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for command in (
        commands.list,
        commands.show,
        commands.search,
        commands.rename,
        commands.fork,
        commands.export,
        commands.delete,
    ):
        sessions.command()(command)
    root.add_typer(sessions, name="sessions", help="Conversations, kept and gone on with.")


class SessionCommands:
    """One method for each command; its docstring is the command's help."""

    def __init__(self, at_server: AtServer) -> None:
        self._at_server = at_server

    def list(self, limit: Limit = 20, json: AsJson = False, home: Home = None) -> None:
        """List sessions, latest change first."""
        from angelia.surfaces.cli.sessions.work import list_sessions

        self._at_server.do(home, lambda server: list_sessions(server, limit, json=json))

    def show(self, session: SessionId, json: AsJson = False, home: Home = None) -> None:
        """Show a session and what was said in it."""
        from angelia.surfaces.cli.sessions.work import show_session

        self._at_server.do(home, lambda server: show_session(server, session, json=json))

    def search(
        self,
        words: Annotated[Words, typer.Argument(help="Words that all occur.")],
        limit: Limit = 20,
        json: AsJson = False,
        home: Home = None,
    ) -> None:
        """Find what was said."""
        from angelia.surfaces.cli.sessions.work import search_sessions

        asked = " ".join(words)
        self._at_server.do(home, lambda server: search_sessions(server, asked, limit, json=json))

    def rename(
        self,
        session: SessionId,
        title: Annotated[str, typer.Argument(help="What to call it.")],
        home: Home = None,
    ) -> None:
        """Give a session a title."""
        from angelia.surfaces.cli.sessions.work import rename_session

        self._at_server.do(home, lambda server: rename_session(server, session, title))

    def fork(
        self,
        session: SessionId,
        title: Annotated[str | None, typer.Option(help="What to call the new one.")] = None,
        run: Annotated[
            str | None,
            typer.Option(help="The last run that it knows.", autocompletion=offer_runs),
        ] = None,
        home: Home = None,
    ) -> None:
        """Make a session that knows what was said in another; prints its id."""
        from angelia.surfaces.cli.sessions.work import fork_session

        self._at_server.do(home, lambda server: fork_session(server, session, title, run))

    def export(
        self, session: SessionId, form: Form = "markdown", output: OutFile = None, home: Home = None
    ) -> None:
        """Write a session as a file."""
        from angelia.surfaces.cli.sessions.work import export_session

        self._at_server.do(home, lambda server: export_session(server, session, form, output))

    def delete(self, session: SessionId, yes: Yes = False, home: Home = None) -> None:
        """Delete a session with its runs."""
        from angelia.surfaces.cli.sessions.work import delete_session

        self._at_server.do(home, lambda server: delete_session(server, session, yes=yes))
