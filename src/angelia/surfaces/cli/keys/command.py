"""The commands `angelia keys …`. What they need is imported when they are called."""

from typing import Annotated

import typer

from angelia.surfaces.cli.at_server import AtServer
from angelia.surfaces.cli.completing import offer_keys
from angelia.surfaces.cli.options import AsJson, Home, Yes

KeyId = Annotated[str, typer.Argument(help="The id of a key.", autocompletion=offer_keys)]
Scopes = Annotated[
    str | None, typer.Option(help="Of chat, runs, read and admin, with commas between.")
]
ExpiresIn = Annotated[str | None, typer.Option(help="Such as 30d, 12h or 90m; or never.")]
Models = Annotated[str | None, typer.Option(help="The only ones, with commas between; or any.")]
Tools = Annotated[
    str | None, typer.Option(help="The only tools or toolsets, with commas between; none; or any.")
]
PerMinute = Annotated[int | None, typer.Option(min=0, help="Requests a minute; 0 for no limit.")]
AtOnce = Annotated[int | None, typer.Option(min=0, help="Runs at once; 0 for no limit.")]
Daily = Annotated[float | None, typer.Option(min=0.0, help="Money a day; 0 for no limit.")]
Monthly = Annotated[float | None, typer.Option(min=0.0, help="Money a month; 0 for no limit.")]


def register(root: typer.Typer, at_server: AtServer) -> None:
    commands = KeyCommands(at_server)
    keys = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for command in (
        commands.list,
        commands.make,
        commands.show,
        commands.change,
        commands.revoke,
    ):
        keys.command()(command)
    root.add_typer(keys, name="keys", help="Who may use the server, and how much.")


class KeyCommands:
    """One method for each command; its docstring is the command's help."""

    def __init__(self, at_server: AtServer) -> None:
        self._at_server = at_server

    def list(self, json: AsJson = False, home: Home = None) -> None:
        """List the keys."""
        from angelia.surfaces.cli.keys.work import list_keys

        self._at_server.do(home, lambda server: list_keys(server, json=json))

    def make(
        self,
        name: Annotated[str, typer.Option(help="For people.")],
        scopes: Scopes = None,
        expires_in: ExpiresIn = None,
        models: Models = None,
        tools: Tools = None,
        requests_per_minute: PerMinute = None,
        concurrent_runs: AtOnce = None,
        daily_budget: Daily = None,
        monthly_budget: Monthly = None,
        json: AsJson = False,
        home: Home = None,
    ) -> None:
        """Make a key. Its secret is printed once, alone on stdout; the rest is on stderr."""
        from angelia.surfaces.cli.keys.wishes import Wishes
        from angelia.surfaces.cli.keys.work import make_key

        wishes = Wishes(
            name,
            scopes,
            expires_in,
            models,
            tools,
            requests_per_minute,
            concurrent_runs,
            daily_budget,
            monthly_budget,
        )
        self._at_server.do(home, lambda server: make_key(server, wishes, json=json))

    def show(self, key: KeyId, json: AsJson = False, home: Home = None) -> None:
        """Show a key and its rules; never its secret."""
        from angelia.surfaces.cli.keys.work import show_key

        self._at_server.do(home, lambda server: show_key(server, key, json=json))

    def change(
        self,
        key: KeyId,
        name: Annotated[str | None, typer.Option(help="For people.")] = None,
        scopes: Scopes = None,
        expires_in: ExpiresIn = None,
        models: Models = None,
        tools: Tools = None,
        requests_per_minute: PerMinute = None,
        concurrent_runs: AtOnce = None,
        daily_budget: Daily = None,
        monthly_budget: Monthly = None,
        json: AsJson = False,
        home: Home = None,
    ) -> None:
        """Change what is named; the rest stays."""
        from angelia.surfaces.cli.keys.wishes import Wishes
        from angelia.surfaces.cli.keys.work import change_key

        wishes = Wishes(
            name,
            scopes,
            expires_in,
            models,
            tools,
            requests_per_minute,
            concurrent_runs,
            daily_budget,
            monthly_budget,
        )
        self._at_server.do(home, lambda server: change_key(server, key, wishes, json=json))

    def revoke(self, key: KeyId, yes: Yes = False, home: Home = None) -> None:
        """Refuse a key from now on, for good."""
        from angelia.surfaces.cli.keys.work import revoke_key

        self._at_server.do(home, lambda server: revoke_key(server, key, yes=yes))
