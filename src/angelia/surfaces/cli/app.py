"""The commands and their options. What a command needs is imported when it is called.

Above: `__main__`, which brings the `Parts`. Nothing heavy may be imported here: `angelia --help`
has to answer at once.
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from angelia import __version__
from angelia.errors import AngeliaError, HomeInUse, RequestError
from angelia.surfaces.cli.answers import Answers
from angelia.surfaces.cli.at_server import AtServer
from angelia.surfaces.cli.chat import command as chat
from angelia.surfaces.cli.completing import completion, offer_sessions, prepare_completion
from angelia.surfaces.cli.doctor.names import ClientName
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.jobs import command as jobs
from angelia.surfaces.cli.keys import command as keys
from angelia.surfaces.cli.memory import build as memory_commands
from angelia.surfaces.cli.options import Home
from angelia.surfaces.cli.recover import add_recover
from angelia.surfaces.cli.runs import command as runs
from angelia.surfaces.cli.sessions import command as sessions
from angelia.surfaces.cli.undo import add_undo

if TYPE_CHECKING:
    from angelia.config import ModelSettings, ProviderSettings, Settings
    from angelia.ports import McpStatus, Salvage
    from angelia.runtime.services import Services
    from angelia.surfaces.cli.ask import Ask
    from angelia.surfaces.cli.screen import Screen
    from angelia.wire.offers import Offered

LocalPorts = Annotated[
    str, typer.Option(help="Ports of this machine where model servers may be; empty for none.")
]
# Ollama, llama.cpp, LM Studio and vLLM.
USUAL_PORTS = "11434,8080,1234,8000"


class Parts(Protocol):
    """What commands set in motion, and may not import: a surface knows no assembly."""

    def open_services(self, settings: "Settings") -> "AbstractAsyncContextManager[Services]":
        """Raises HomeInUse when another process works in the home folder."""
        ...

    async def serve(
        self, settings: "Settings", on_ready: "Callable[[Services, str], None]"
    ) -> None:
        """Returns after SIGTERM or Ctrl-C, when everything has been drained."""
        ...

    def embedded_server(
        self, settings: "Settings", *, as_configured: bool = False
    ) -> "AbstractAsyncContextManager[tuple[str, str]]":
        """A server in this process: its address and its key. Raises HomeInUse."""
        ...

    async def ask_once(self, model: "ModelSettings") -> str | None:
        """One cheap question; the name that the provider gives the model. Raises UpstreamError."""
        ...

    async def offers(self, provider: "ProviderSettings", seconds: float) -> "Offered":
        """The models that a provider says it has."""
        ...

    async def sandbox(self, settings: "Settings") -> tuple[str, str]:
        """How far commands would be kept apart here, and why none could run."""
        ...

    async def upstream(
        self, host: str, port: int, script: Path | None, pace: float, chaos: float, seed: int
    ) -> None: ...

    async def mcp(self, settings: "Settings") -> None:
        """Serves an MCP client over stdin and stdout until it leaves."""
        ...

    def recover(self, settings: "Settings", *, dry_run: bool) -> "Salvage":
        """What was found in the database, and brought back. Raises HomeInUse."""
        ...

    async def look_at_mcp(self, settings: "Settings") -> "Sequence[McpStatus]":
        """Starts every MCP server to see whether it works, and ends it again."""
        ...


class Commands:
    """One method for each command; its docstring is the command's help."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def serve(
        self,
        host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
        port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
        home: Home = None,
    ) -> None:
        """Start the server."""
        import uvloop

        from angelia.surfaces.cli.banner import banner

        def greet(services: "Services", address: str) -> None:
            print(banner(services, address), flush=True)

        with _reported():
            settings = _settings(home, host=host, port=port)
            uvloop.run(self._parts.serve(settings, greet))

    def run(
        self,
        prompt: Annotated[str | None, typer.Argument(help="What to ask; - reads stdin.")] = None,
        model: Annotated[str | None, typer.Option(help="Name of the agent.")] = None,
        session: Annotated[
            str | None,
            typer.Option(help="Go on in this session.", autocompletion=offer_sessions),
        ] = None,
        max_steps: Annotated[int | None, typer.Option(min=1, help="Most model calls.")] = None,
        timeout: Annotated[float | None, typer.Option(min=0.0, help="Most seconds.")] = None,
        json: Annotated[bool, typer.Option("--json", help="One event per line, as JSON.")] = False,
        home: Home = None,
    ) -> None:
        """Ask one question here; the exit code says how it ended.

        0 completed, 1 failed, 2 wrong usage, 3 cancelled, 4 a limit was reached, 130 Ctrl-C.
        """
        import asyncio

        from angelia.surfaces.cli.ask import Ask
        from angelia.surfaces.cli.screen import Screen

        with _reported():
            ask = Ask(_prompt(prompt), model, session, max_steps, timeout)
            settings = _quiet_settings(home)
            code = asyncio.run(self._converse(settings, ask, Screen(os.environ), as_json=json))
        raise typer.Exit(code)

    def upstream(
        self,
        host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
        port: Annotated[int, typer.Option(help="Port to listen on.")] = 9100,
        script: Annotated[
            Path | None, typer.Option(exists=True, dir_okay=False, help="What to answer.")
        ] = None,
        pace: Annotated[float, typer.Option(min=0.0, help="Seconds between pieces.")] = 0.0,
        chaos: Annotated[
            float, typer.Option(min=0.0, max=1.0, help="How many requests fail by chance.")
        ] = 0.0,
        seed: Annotated[int, typer.Option(help="Settles which requests these are.")] = 0,
    ) -> None:
        """Play a model server that follows a script."""
        import asyncio

        with _reported(), contextlib.suppress(KeyboardInterrupt):
            asyncio.run(self._parts.upstream(host, port, script, pace, chaos, seed))

    def setup(
        self,
        provider: Annotated[
            str | None, typer.Option(help="openai, anthropic, openrouter, ollama … or a new name.")
        ] = None,
        base_url: Annotated[str | None, typer.Option(help="Address of the provider.")] = None,
        protocol: Annotated[str | None, typer.Option(help="chat, responses or anthropic.")] = None,
        model: Annotated[str | None, typer.Option(help="What the provider calls it.")] = None,
        key_env: Annotated[str | None, typer.Option(help="Variable that holds the key.")] = None,
        key: Annotated[
            bool, typer.Option("--key", help="Ask for the key; a pipe may hold it.")
        ] = False,
        test: Annotated[bool, typer.Option(help="Ask the model one short question.")] = True,
        yes: Annotated[
            bool, typer.Option("--yes", help="Ask nothing; take what is usual.")
        ] = False,
        force: Annotated[
            bool, typer.Option("--force", help="Replace a file that is there; it is kept as well.")
        ] = False,
        local_ports: LocalPorts = USUAL_PORTS,
        home: Home = None,
    ) -> None:
        """Choose a model, try it, and write it to angelia.toml.

        0 written, 1 the model does not answer or nothing was written, 2 wrong usage.
        """
        from angelia.surfaces.cli.setup.command import Setup, Wishes

        with _reported():
            wishes = Wishes(provider, base_url, protocol, model, key_env, key, test, yes, force)
            code = Setup(self._parts, wishes, _ports(local_ports), home).go()
        raise typer.Exit(code)

    def models(
        self,
        offline: Annotated[bool, typer.Option("--offline", help="Ask nobody.")] = False,
        json: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
        local_ports: LocalPorts = USUAL_PORTS,
        home: Home = None,
    ) -> None:
        """List the models that are configured, and which of them answer.

        0 one of the default agent's models answers, 1 none does, 2 wrong usage.
        """
        import asyncio

        from angelia.surfaces.cli.models.command import examine

        with _reported():
            settings = _settings(home)
            ports = () if offline else _ports(local_ports)
            found = examine(self._parts, settings, ports, ask=not offline, as_json=json)
            code = asyncio.run(found)
        raise typer.Exit(code)

    def doctor(
        self,
        client: Annotated[
            ClientName | None, typer.Option(help="Show what this client makes of a run.")
        ] = None,
        run: Annotated[
            str | None, typer.Option(help="Which run; the newest, or a sample, if left out.")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
        home: Home = None,
    ) -> None:
        """Check this installation, or what a client makes of a run.

        0 in order, 1 something is broken, 2 wrong usage.
        """
        import asyncio

        from angelia.surfaces.cli.doctor.checks import Probes
        from angelia.surfaces.cli.doctor.command import Doctor

        if run is not None and client is None:
            raise typer.BadParameter("--run needs --client: it is replayed for a client")
        with _reported():
            probes = Probes(self._parts.sandbox, self._parts.look_at_mcp)
            doctor = Doctor(self._parts.open_services, probes, home, json=json)
            found = doctor.examine() if client is None else doctor.replay(client, run)
            code = asyncio.run(found)
        raise typer.Exit(code)

    def mcp(self, home: Home = None) -> None:
        """Offer runs as tools to an MCP client, over stdin and stdout.

        They take place at the server that works in the home folder, else in this process.
        """
        import asyncio

        with _reported():
            # Clients show what is written to stderr as trouble.
            settings = _settings(home, log=os.environ.get("ANGELIA_LOG") or "warning")
            asyncio.run(self._parts.mcp(settings))

    def version(self) -> None:
        """Print the version."""
        print(__version__)

    async def _converse(
        self, settings: "Settings", ask: "Ask", screen: "Screen", *, as_json: bool
    ) -> int:
        """In this process, or at the server that works in the home folder already."""
        from angelia.surfaces.cli.ask import Conversation
        from angelia.surfaces.cli.embedded import Embedded

        try:
            async with self._parts.open_services(settings) as services:
                return await Conversation(Embedded(services), screen, as_json=as_json).run(ask)
        except HomeInUse:
            from angelia.config.running import running_at
            from angelia.surfaces.cli.remote import Remote

            async with Remote(*running_at(settings)) as remote:
                return await Conversation(remote, screen, as_json=as_json).run(ask)


def build(parts: Parts) -> typer.Typer:
    commands = Commands(parts)
    app = typer.Typer(
        name="angelia",
        help="An AI-agent runtime and server.",
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    answers = Answers(_settings, _reported)
    for command in (commands.serve, commands.run, answers.approve, answers.grants):
        app.command()(command)
    add_undo(app, parts, _quiet_settings, _reported)
    add_recover(app, parts, _quiet_settings, _reported)
    for command in (
        commands.setup,
        commands.models,
        commands.doctor,
        commands.mcp,
        commands.upstream,
        commands.version,
    ):
        app.command()(command)
    app.add_typer(memory_commands(parts, _quiet_settings, _reported))
    jobs.register(app, _settings, _reported)
    at_server = AtServer(parts, _quiet_settings, _reported)
    for group in (runs, sessions, keys):
        group.register(app, at_server)
    app.command()(completion)
    prepare_completion()
    chat.register(app, parts, _settings, _reported)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version."),
    ] = False,
) -> None:
    """An AI-agent runtime and server."""


def _settings(home: Path | None, **flags: str | int | None) -> "Settings":
    """What the environment says, with the flags on top; `host` stands for ANGELIA_HOST."""
    from angelia.config import load

    given = {
        f"ANGELIA_{name.upper()}": str(flag) for name, flag in flags.items() if flag is not None
    }
    return load(os.environ, home=home, overrides=given)


def _quiet_settings(home: Path | None) -> "Settings":
    """The log of a server is news; in a terminal only trouble is."""
    return _settings(home, log=os.environ.get("ANGELIA_LOG") or "warning")


def _ports(given: str) -> tuple[int, ...]:
    words = [word.strip() for word in given.split(",") if word.strip()]
    if not all(word.isdecimal() and 0 < int(word) < 65536 for word in words):
        raise typer.BadParameter("--local-ports takes numbers with commas between them")
    return tuple(map(int, words))


def _prompt(given: str | None) -> str:
    if given is None and sys.stdin.isatty():
        raise typer.BadParameter('there is nothing to ask; try: angelia run "hello"')
    prompt = sys.stdin.read() if given is None or given == "-" else given
    if not prompt.strip():
        raise typer.BadParameter("the prompt is empty")
    return prompt


@contextlib.contextmanager
def _reported() -> Generator[None]:
    """What goes wrong on purpose is one line, and the whole story at ANGELIA_LOG=debug."""
    try:
        yield
    except AngeliaError as error:
        if os.environ.get("ANGELIA_LOG", "").startswith("debug"):
            traceback.print_exc()
        print(f"angelia: {error}", file=sys.stderr)
        raise typer.Exit(_exit_of(error)) from None
    except KeyboardInterrupt:
        raise typer.Exit(Exit.INTERRUPTED) from None


def _exit_of(error: AngeliaError) -> Exit:
    from angelia.config import ConfigError

    wrong_usage = isinstance(error, RequestError | ConfigError)
    return Exit.USAGE if wrong_usage else Exit.FAILED
