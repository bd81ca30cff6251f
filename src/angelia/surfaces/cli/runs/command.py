"""The commands `angelia runs …`. What they need is imported when they are called."""

from typing import Annotated, Literal

import typer

from angelia.surfaces.cli.at_server import AtServer
from angelia.surfaces.cli.completing import offer_runs, offer_sessions
from angelia.surfaces.cli.options import AsJson, Home, OutFile

RunId = Annotated[str, typer.Argument(help="The id of a run.", autocompletion=offer_runs)]
AnyRun = Annotated[
    str | None,
    typer.Argument(help="The id of a run; the newest if left out.", autocompletion=offer_runs),
]
Session = Annotated[
    str | None, typer.Option(help="Only those of this session.", autocompletion=offer_sessions)
]
Form = Annotated[
    Literal["events", "chat", "responses"],
    typer.Option("--as", help="One event per line, or the bytes of a stream of that protocol."),
]


def register(root: typer.Typer, at_server: AtServer) -> None:
    commands = RunCommands(at_server)
    runs = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for command in (
        commands.list,
        commands.show,
        commands.follow,
        commands.stop,
        commands.export,
    ):
        runs.command()(command)
    root.add_typer(runs, name="runs", help="List, show, follow, stop and export runs.")


class RunCommands:
    """One method for each command; its docstring is the command's help."""

    def __init__(self, at_server: AtServer) -> None:
        self._at_server = at_server

    def list(
        self,
        status: Annotated[
            str | None, typer.Option(help="Such as running; several with commas.")
        ] = None,
        session: Session = None,
        model: Annotated[str | None, typer.Option(help="Only those of this agent.")] = None,
        limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 20,
        json: AsJson = False,
        home: Home = None,
    ) -> None:
        """List runs, newest first."""
        from angelia.surfaces.cli.runs.work import Wanted, list_runs

        wanted = Wanted(limit, status, session, model)
        self._at_server.do(home, lambda server: list_runs(server, wanted, json=json))

    def show(self, run: AnyRun = None, json: AsJson = False, home: Home = None) -> None:
        """Show what was asked, what was done about it, and what came of it."""
        from angelia.surfaces.cli.runs.work import show_run

        self._at_server.do(home, lambda server: show_run(server, run, json=json))

    def follow(self, run: AnyRun = None, home: Home = None) -> None:
        """Show a run from its beginning and as it goes on; Ctrl-C leaves it alone.

        The exit code says how it ended, as that of `angelia run` does.
        """
        from angelia.surfaces.cli.runs.work import follow_run

        raise typer.Exit(self._at_server.do(home, lambda server: follow_run(server, run)))

    def stop(self, run: RunId, home: Home = None) -> None:
        """Stop a run."""
        from angelia.surfaces.cli.runs.work import stop_run

        self._at_server.do(home, lambda server: stop_run(server, run))

    def export(
        self, run: RunId, form: Form = "events", output: OutFile = None, home: Home = None
    ) -> None:
        """Write all events of a run, to its end."""
        from angelia.surfaces.cli.runs.work import export_run

        self._at_server.do(home, lambda server: export_run(server, run, form, output))
