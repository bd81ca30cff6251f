"""A server whose model follows a script, and all that this model was asked."""

import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tests.support.server import AngeliaServer, UpstreamProcess

SETTINGS = """
[model]
base_url = "{url}"
name = "scripted"
retries = 0
"""


class Scripted:
    """`play` says what comes next; without a step left the model answers as the demo does."""

    def __init__(self, server: AngeliaServer, upstream: UpstreamProcess) -> None:
        self.server = server
        self._upstream = upstream.url

    def play(self, *steps: dict[str, Any]) -> None:
        """Forgets what was asked before."""
        self._ask("/script", msgspec.json.encode(steps))
        self._ask("/reset", b"")

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The body of every request to the model, oldest first."""
        return [seen["body"] for seen in self._ask("/requests")["requests"]]

    def _ask(self, path: str, body: bytes | None = None) -> Any:
        request = urllib.request.Request(self._upstream + path, body)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return msgspec.json.decode(answer.read())


@contextmanager
def scripted(folder: Path, settings: str = "") -> Iterator[Scripted]:
    """`settings` are further sections of the server's angelia.toml."""
    (folder / "upstream").mkdir()
    upstream = UpstreamProcess(folder / "upstream")
    server = AngeliaServer(folder / "server")
    try:
        upstream.start()
        (server.home / "angelia.toml").write_text(SETTINGS.format(url=upstream.url) + settings)
        server.start()
        yield Scripted(server, upstream)
    finally:
        server.kill()
        upstream.kill()
