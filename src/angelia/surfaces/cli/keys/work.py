"""What `angelia keys` does at a server, and prints."""

import os
import sys
import time

from angelia.surfaces.cli.delivering import agreed, as_json
from angelia.surfaces.cli.keys.report import COLUMNS, details, row
from angelia.surfaces.cli.keys.wishes import Wishes, changed_key, new_key
from angelia.surfaces.cli.paper import Paper
from angelia.surfaces.cli.server import Server
from angelia.wire.keys.shapes import KeyOut


async def list_keys(server: Server, *, json: bool) -> None:
    found = await server.keys()
    if json:
        as_json(found)
        return
    paper = Paper(sys.stdout, os.environ)
    now = time.time() if paper.is_terminal else None
    paper.table(COLUMNS, [row(key, now) for key in found], "There are no keys.")


async def make_key(server: Server, wishes: Wishes, *, json: bool) -> None:
    key = await server.make_key(new_key(wishes, time.time()))
    if json:
        as_json(key)
        return
    print(key.secret, flush=True)
    about = Paper(sys.stderr, os.environ)
    about.details(details(key))
    about.say("The secret is shown this once; whoever has it can use the server.")


async def show_key(server: Server, key_id: str, *, json: bool) -> None:
    _show(await server.key(key_id), json=json)


async def change_key(server: Server, key_id: str, wishes: Wishes, *, json: bool) -> None:
    _show(await server.change_key(key_id, changed_key(wishes, time.time())), json=json)


async def revoke_key(server: Server, key_id: str, *, yes: bool) -> None:
    key = await server.key(key_id)
    if agreed(f"Revoke {key.name!r} ({key.id}) for good?", yes=yes):
        print(f"{key_id} is {(await server.revoke_key(key_id)).status}")
    else:
        print("Nothing was revoked.")


def _show(key: KeyOut, *, json: bool) -> None:
    if json:
        as_json(key)
    else:
        Paper(sys.stdout, os.environ).details(details(key))
