"""What `angelia doctor` does: examines, prints, and says with its exit code how it went."""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from rich.console import Console

from angelia.config import ConfigError, Settings, home_folder, load
from angelia.config.running import KEY_FILE
from angelia.errors import RequestError
from angelia.runtime.keyring import FIRST
from angelia.runtime.services import Services
from angelia.surfaces.cli.doctor.checks import Probes, examine
from angelia.surfaces.cli.doctor.clients.known import CLIENTS, View
from angelia.surfaces.cli.doctor.entries import Place, rows
from angelia.surfaces.cli.doctor.names import ClientName
from angelia.surfaces.cli.doctor.recording import Kept, Recording, sample
from angelia.surfaces.cli.doctor.report import (
    Diagnosis,
    Health,
    Seen,
    as_json,
    print_diagnosis,
    print_health,
)
from angelia.surfaces.cli.doctor.served import ENDED, Served, Server
from angelia.surfaces.cli.doctor.truth import tell
from angelia.surfaces.cli.doctor.verdict import judge
from angelia.surfaces.cli.exits import Exit

Open = Callable[[Settings], AbstractAsyncContextManager[Services]]


class Doctor:
    """`open_services` is for a run of a home folder in which no server works, as are `probes`."""

    def __init__(
        self, open_services: Open, probes: Probes, home: Path | None, *, json: bool
    ) -> None:
        self._open = open_services
        self._probes = probes
        self._home = home
        self._json = json
        self._console = Console(highlight=False, emoji=False)

    async def examine(self) -> Exit:
        home = home_folder(os.environ, self._home)
        try:
            settings = self._settings()
        except ConfigError as error:
            settings = error
        checks = await examine(settings, home, self._probes)
        health = Health(all(check.level != "broken" for check in checks), tuple(checks))
        if self._json:
            print(as_json(health))
        else:
            print_health(self._console, health)
        return Exit.COMPLETED if health.ok else Exit.FAILED

    async def replay(self, name: ClientName, run_id: str | None) -> Exit:
        settings = self._settings()
        server = Server(settings)
        client = CLIENTS[name]
        recording = await self._recording(server, run_id)
        seen = tuple([await _seen(view, recording) for view in client.views])
        place = Place(server.url, str(settings.home / KEY_FILE), settings.agent.name)
        found = Diagnosis(
            name.value,
            client.title,
            recording.title,
            not any(one.verdict.problems for one in seen),
            seen,
            rows(name, place),
        )
        if self._json:
            print(as_json(found))
        else:
            print_diagnosis(self._console, found)
        return Exit.COMPLETED if found.ok else Exit.FAILED

    def _settings(self) -> Settings:
        log = os.environ.get("ANGELIA_LOG") or "warning"
        return load(os.environ, home=self._home, overrides={"ANGELIA_LOG": log})

    async def _recording(self, server: Server, run_id: str | None) -> Recording:
        if run_id is None:
            newest = await server.newest()
            return Served(server, newest) if newest else sample(server.settings)
        if await server.get("/health") is None:
            return await self._kept(server.settings, run_id)
        if not await server.ended(run_id):
            raise _unfinished(run_id)
        return Served(server, run_id)

    async def _kept(self, settings: Settings, run_id: str) -> Kept:
        async with self._open(settings) as services:
            run = await services.runs.get(FIRST, run_id)
            if run.status not in ENDED:
                raise _unfinished(run_id)
            return Kept(run_id, await services.runs.read(run_id), settings)


async def _seen(view: View, recording: Recording) -> Seen:
    rendered = await recording.rendered(view)
    shown = view.read(rendered.data)
    verdict = judge(view, tell(await recording.events()), shown)
    return Seen(view.surface, rendered.dialect, shown, verdict)


def _unfinished(run_id: str) -> RequestError:
    return RequestError(f"The run {run_id} has not ended; stop it or wait.")
