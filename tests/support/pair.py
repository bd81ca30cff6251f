"""A server with an agent whose model is at provider A, and at provider B if A cannot answer."""

import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tests.support.http import Client
from tests.support.server import AngeliaServer, UpstreamProcess

PROVIDER = """
[providers.{name}]
base_url = "{url}"
protocol = "{protocol}"
keys = ["sk-test-0123456789abcdef"]
retries = {retries}
breaker = 0
timeouts = {{ first_token = {patience}, between_chunks = {patience}, whole = {patience} }}

[models.{name}]
provider = "{name}"
name = "scripted-{name}"
"""


# Agents that have only A, each with a model of its own.
ALONE = ("alone-1", "alone-2", "alone-3", "alone-4")


class Provider:
    """One scripted model server, which speaks one protocol here."""

    def __init__(self, name: str, protocol: str, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.name = name
        self.protocol = protocol
        self.process = UpstreamProcess(folder)

    def play(self, *steps: dict[str, Any], **script: Any) -> None:
        """What it answers from now on. What it was asked before is forgotten."""
        self._ask("/script", msgspec.json.encode({"steps": steps, **script}))
        self._ask("/reset", b"")

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Every request since the script began, in few words."""
        return self._ask("/calls")

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The bodies of the last requests."""
        return [seen["body"] for seen in self._ask("/requests")["requests"]]

    def _ask(self, path: str, body: bytes | None = None) -> Any:
        request = urllib.request.Request(self.process.url + path, body)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return msgspec.json.decode(answer.read())


class Pair:
    """`one_host` is where one server is both providers, in two protocols."""

    def __init__(self, folder: Path, protocols: tuple[str, str], *, one_host: bool) -> None:
        self.a = Provider("a", protocols[0], folder / "a")
        self.b = Provider("b", protocols[1], folder / "b")
        if one_host:
            self.b.process = self.a.process
        self.server = AngeliaServer(folder / "server")

    def client(self) -> Client:
        return Client(self.server.url, self.server.key)

    def settings(self, retries: int, patience: float) -> str:
        text = '[server]\nlog = "error,text"\n[agent]\nmodel = "a"\nfallback = ["b"]\n'
        for name in ALONE:
            text += f'[agents.{name}]\nmodel = "{name}"\n'
            text += f'[models.{name}]\nprovider = "a"\nname = "scripted-{name}"\n'
        for provider in (self.a, self.b):
            text += PROVIDER.format(
                name=provider.name,
                url=provider.process.url,
                protocol=provider.protocol,
                retries=retries,
                patience=patience,
            )
        return text


@contextmanager
def paired(
    folder: Path,
    *protocols: str,
    retries: int = 1,
    patience: float = 30.0,
    one_host: bool = False,
) -> Iterator[Pair]:
    """One protocol is for both of them."""
    pair = Pair(folder, (protocols[0], protocols[-1]), one_host=one_host)
    (pair.server.home / "angelia.toml").write_text(pair.settings(retries, patience))
    try:
        pair.a.process.start()
        if not one_host:
            pair.b.process.start()
        pair.server.start()
        yield pair
    finally:
        pair.server.kill()
        pair.a.process.kill()
        pair.b.process.kill()
