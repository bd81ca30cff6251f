"""A chat begins: where it is, what it says first, and whether it has a terminal or only lines."""

import os
from pathlib import Path

from msgspec import Struct

from angelia import __version__
from angelia.errors import RequestError
from angelia.surfaces.cli.chat.command import at_terminal
from angelia.surfaces.cli.chat.commands import SlashCommands
from angelia.surfaces.cli.chat.place import Place
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.server import Server


class Wishes(Struct, frozen=True):
    prompt: str | None = None
    session: str | None = None
    go_on: bool = False
    model: str | None = None


async def open_chat(remote: Remote, wishes: Wishes, home: Path, embedded: str | None) -> int:
    """To its end; the exit code. `embedded` is the address of a server in this process."""
    place = Place(wishes.session, wishes.model)
    if wishes.go_on:
        await _go_to_latest(Server(remote), place)
    commands, folder = SlashCommands(remote, place), Path.cwd()
    if not at_terminal():
        from angelia.surfaces.cli.chat.plain import Lines

        lines = Lines(remote, place, commands, folder, alone=embedded is not None)
        return await lines.go(wishes.prompt)
    from angelia.surfaces.cli.chat.blocks import Remark
    from angelia.surfaces.cli.chat.completion import ChatCompleter
    from angelia.surfaces.cli.chat.paint import Painter
    from angelia.surfaces.cli.chat.stage import Stage, colourful, history_in
    from angelia.surfaces.cli.chat.talk import Chat

    chat = Chat(remote, place, commands, folder)
    painter = Painter(colour=colourful(os.environ))
    completer = ChatCompleter(remote, folder)
    chat.stage = Stage(chat, painter, prompt=True, history=history_in(home), completer=completer)
    chat.stage.show([Remark(_greeting(remote, embedded))])
    return await chat.go(wishes.prompt)


async def _go_to_latest(server: Server, place: Place) -> None:
    latest = (await server.sessions(1)).data
    if not latest:
        raise RequestError("There is no session to go on with; leave --continue out.")
    place.go_to(latest[0].id, latest[0].last_run_id)


def _greeting(remote: Remote, embedded: str | None) -> str:
    where = f"its server runs in this chat, at {embedded}" if embedded else f"at {remote.url}"
    return f"Angelia {__version__} · {where} · /help lists the commands"
