"""A server whose agents have two providers: A, which is in trouble, and B, which may help."""

import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tests.support.http import Client
from tests.support.resilience.cells import KEYS, Cell, Provider
from tests.support.resilience.troubles import SECRET
from tests.support.server import AngeliaServer, UpstreamProcess

SURFACES = ("runs", "stream", "whole", "responses")
# Where silence is the trouble it is noticed soon; elsewhere a busy machine is given time.
BRISK = {"first_token": 1.5, "between_chunks": 0.5, "whole": 1.5}
CALM = {"first_token": 30, "between_chunks": 30, "whole": 30}


def token(number: int, surface: str) -> str:
    """What tells the questions of one cell on one surface from all others."""
    return f"cell{number:04d}{SURFACES.index(surface)}x"


def agent(number: int, cell: Cell, surface: str) -> str:
    """Those who leave traces at their providers have providers of their own."""
    if cell.trouble.lingers:
        return f"own-{token(number, surface)}"
    return "brisk" if cell.is_slow else "calm"


class Stage:
    def __init__(self, folder: Path, protocol: str, cells: Sequence[Cell]) -> None:
        self.protocol = protocol
        self.cells = cells
        self.providers: dict[Provider, UpstreamProcess] = {}
        for name in ("A", "B"):
            (folder / name).mkdir()
            self.providers[name] = UpstreamProcess(folder / name)
        self.server = AngeliaServer(folder / "server")

    def client(self) -> Client:
        return Client(self.server.url, self.server.key)

    def start(self) -> None:
        (self.server.home / "angelia.toml").write_text(self._settings())
        for name, provider in self.providers.items():
            provider.start()
            self._play(name)
        self.server.start()

    def kill(self) -> None:
        for process in (self.server, *self.providers.values()):
            process.kill()

    def calls(self, provider: Provider) -> list[dict[str, Any]]:
        return post(f"{self.providers[provider].url}/calls")

    def traces(self, of: str) -> int:
        """How often the tool was really run."""
        file = self.server.home / "workspace" / of
        return len(file.read_text().splitlines()) if file.exists() else 0

    def _play(self, provider: Provider) -> None:
        steps = [
            step
            for number, cell in enumerate(self.cells)
            for surface in SURFACES
            for step in cell.script(provider, token(number, surface))
        ]
        post(f"{self.providers[provider].url}/script", msgspec.json.encode(steps))

    def _settings(self) -> str:
        text = '[server]\nlog = "error,text"\n'
        text += self._agent("calm", CALM, 1) + self._agent("brisk", BRISK, 1)
        for number, cell in enumerate(self.cells):
            if cell.trouble.lingers:
                for surface in SURFACES:
                    name = agent(number, cell, surface)
                    text += self._agent(name, CALM, KEYS.get(cell.trouble.remedy, 1))
        return text

    def _agent(self, name: str, timeouts: Mapping[str, float], keys: int) -> str:
        text = f'[agents.{name}]\nmodel = "{name}-A"\nfallback = ["{name}-B"]\n'
        for provider, process in self.providers.items():
            own = f"{name}-{provider}"
            text += (
                f'[models.{own}]\nprovider = "{own}"\nname = "scripted-{own}"\n[providers.{own}]\n'
            )
            text += f'base_url = "{process.url}"\nprotocol = "{self.protocol}"\n'
            text += f"retries = 1\nbreaker = 0\nkeys = {[f'{SECRET}{i}' for i in range(keys)]}\n"
            text += f"[providers.{own}.timeouts]\n"
            text += "".join(f"{limit} = {seconds}\n" for limit, seconds in timeouts.items())
        return text


def post(url: str, body: bytes | None = None) -> Any:
    """GET without a body."""
    with urllib.request.urlopen(urllib.request.Request(url, body), timeout=30) as answer:
        return msgspec.json.decode(answer.read())


@contextmanager
def staged(folder: Path, protocol: str, cells: Sequence[Cell]) -> Iterator[Stage]:
    stage = Stage(folder, protocol, cells)
    try:
        stage.start()
        yield stage
    finally:
        stage.kill()
