"""What `angelia sessions` does at a server, and prints."""

import os
import sys
import time
from pathlib import Path

from angelia.surfaces.cli.delivering import agreed, as_json, deliver
from angelia.surfaces.cli.paper import Paper
from angelia.surfaces.cli.server import PAGE, ExportForm, Server
from angelia.surfaces.cli.sessions.report import COLUMNS, HITS, details, hit_row, row, said
from angelia.wire.sessions.shapes import SessionOut


async def list_sessions(server: Server, limit: int, *, json: bool) -> None:
    found: list[SessionOut] = []
    more, after = True, None
    while more and len(found) < limit:
        page = await server.sessions(min(PAGE, limit - len(found)), after)
        found += page.data
        more, after = page.has_more, found[-1].id if found else None
    if json:
        as_json(found)
        return
    paper = Paper(sys.stdout, os.environ)
    now = time.time() if paper.is_terminal else None
    paper.table(COLUMNS, [row(session, now) for session in found], "There are no sessions.")


async def show_session(server: Server, session_id: str, *, json: bool) -> None:
    session, messages = await server.session(session_id), await server.messages(session_id)
    if json:
        as_json({"session": session, "messages": messages})
        return
    paper = Paper(sys.stdout, os.environ)
    paper.details(details(session))
    for message in messages:
        for line, look in said(message):
            paper.say(line, look)


async def search_sessions(server: Server, words: str, limit: int, *, json: bool) -> None:
    found = await server.search(words, limit)
    if json:
        as_json(found)
        return
    paper = Paper(sys.stdout, os.environ)
    now = time.time() if paper.is_terminal else None
    paper.table(HITS, [hit_row(hit, now) for hit in found], "Nothing was found.")


async def rename_session(server: Server, session_id: str, title: str) -> None:
    session = await server.rename(session_id, title)
    print(f"{session.id} is called {session.title!r} now")


async def fork_session(
    server: Server, session_id: str, title: str | None, run_id: str | None
) -> None:
    print((await server.fork(session_id, title, run_id)).id)


async def export_session(
    server: Server, session_id: str, form: ExportForm, path: Path | None
) -> None:
    deliver(await server.export(session_id, form), path)


async def delete_session(server: Server, session_id: str, *, yes: bool) -> None:
    session = await server.session(session_id)
    runs = f"{session.runs} {'run' if session.runs == 1 else 'runs'}"
    if agreed(f"Delete {session.title!r} ({session.id}) with {runs}?", yes=yes):
        await server.delete_session(session_id)
        print(f"deleted {session_id}")
    else:
        print("Nothing was deleted.")
