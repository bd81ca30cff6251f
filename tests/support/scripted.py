"""A server whose model follows a script, and all that this model was asked."""

import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tests.support.http import Client
from tests.support.server import AngeliaServer, UpstreamProcess

# A fault of the model is the end of the run.
NO_RETRIES = "[model]\nretries = 0\n"

# A fault that nobody can mend, behind half of the text.
FINAL_AFTER_TEXT = {
    "error_event": {"type": "invalid_request_error", "message": "This cannot be answered."},
    "after": "text",
}

Message = dict[str, Any]


class Scripted:
    """Without a step that fits, the model answers as the demo does."""

    def __init__(self, server: AngeliaServer, upstream: UpstreamProcess) -> None:
        self.server = server
        self.upstream = upstream

    def client(self, key: str | None = None) -> Client:
        """A client with connections of its own; a restart of the server breaks those it has."""
        return Client(self.server.url, key or self.server.key)

    def script(self, *steps: dict[str, Any]) -> None:
        """What comes next, or what answers messages that hold a step's `when`."""
        self._ask("/script", msgspec.json.encode(steps))

    def play(self, *steps: dict[str, Any]) -> None:
        """A script for a model that forgets what it was asked before."""
        self.script(*steps)
        self._ask("/reset", b"")

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The body of every request to the model, oldest first."""
        return [seen["body"] for seen in self._ask("/requests")["requests"]]

    def asked_about(self, words: str) -> list[dict[str, Any]]:
        """Those whose last user message holds these words."""
        return [body for body in self.asked if words in last_words(body)]

    def _ask(self, path: str, body: bytes | None = None) -> Any:
        request = urllib.request.Request(self.upstream.url + path, body)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return msgspec.json.decode(answer.read())


@contextmanager
def scripted(folder: Path, settings: str = "", **env: str) -> Iterator[Scripted]:
    """`settings` are those of the server's angelia.toml."""
    (folder / "upstream").mkdir(parents=True)
    upstream = UpstreamProcess(folder / "upstream")
    given = {"ANGELIA_BASE_URL": upstream.url, "ANGELIA_MODEL": "scripted", **env}
    stage = Scripted(AngeliaServer(folder / "server", given), upstream)
    (stage.server.home / "angelia.toml").write_text(settings)
    try:
        upstream.start()
        stage.server.start()
        yield stage
    finally:
        # A story may have put another server in its place.
        stage.server.kill()
        upstream.kill()


def last_words(body: dict[str, Any]) -> str:
    """What the user said last, in whatever protocol."""
    said = [item for item in body.get("messages") or body["input"] if item.get("role") == "user"]
    texts = [text for text in map(text_of, said) if text]
    return texts[-1] if texts else ""


def text_of(message: Message) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or ())
