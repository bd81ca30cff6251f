"""What `angelia runs` does at a server, and prints."""

import os
import sys
import time
from pathlib import Path

from msgspec import Struct

from angelia.errors import RequestError
from angelia.surfaces.cli.chat.watching import watch
from angelia.surfaces.cli.delivering import as_json, deliver
from angelia.surfaces.cli.paper import Paper
from angelia.surfaces.cli.runs.report import COLUMNS, details, row
from angelia.surfaces.cli.runs.timeline import Timeline
from angelia.surfaces.cli.server import PAGE, Run, Server, View


class Wanted(Struct, frozen=True):
    limit: int
    status: str | None = None
    session: str | None = None
    model: str | None = None


async def list_runs(server: Server, wanted: Wanted, *, json: bool) -> None:
    found = await _found(server, wanted)
    if json:
        as_json(found)
        return
    paper = Paper(sys.stdout, os.environ)
    now = time.time() if paper.is_terminal else None
    paper.table(COLUMNS, [row(run, now) for run in found], "There are no such runs.")


async def _found(server: Server, wanted: Wanted) -> list[Run]:
    found: list[Run] = []
    more, after = True, None
    while more and len(found) < wanted.limit:
        page = await server.runs(
            min(PAGE, wanted.limit - len(found)),
            session_id=wanted.session,
            status=wanted.status,
            model=wanted.model,
            after=after,
        )
        found += page.data
        more, after = page.has_more, found[-1].run_id if found else None
    return found


async def show_run(server: Server, run_id: str | None, *, json: bool) -> None:
    run = await server.run(run_id or await newest(server))
    timeline = Timeline()
    async for data in server.log(run):
        timeline.see(data)
    if json:
        as_json({"run": run, "timeline": timeline.moments})
    else:
        Paper(sys.stdout, os.environ).details(details(run, timeline.moments))


async def follow_run(server: Server, run_id: str | None) -> int:
    return await watch(server.remote, run_id or await newest(server))


async def stop_run(server: Server, run_id: str) -> None:
    print(f"{run_id} is {await server.stop(run_id)}")


async def export_run(server: Server, run_id: str, form: View, path: Path | None) -> None:
    if form == "events":
        data = b"".join([event + b"\n" async for event in server.remote.events(run_id)])
    else:
        data = await server.stream(run_id, form)
    deliver(data, path)


async def newest(server: Server) -> str:
    page = await server.runs(1)
    if not page.data:
        raise RequestError("There are no runs yet; try: angelia run 'hello'")
    return page.data[0].run_id
