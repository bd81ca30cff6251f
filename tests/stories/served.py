"""A server whose model answers at once, for stories that ask it very many things."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.server import AngeliaServer, UpstreamProcess


@contextmanager
def served(folder: Path, settings: str) -> Iterator[AngeliaServer]:
    """`settings` are those of its angelia.toml."""
    (folder / "upstream").mkdir()
    upstream = UpstreamProcess(folder / "upstream")
    upstream.start()
    server = AngeliaServer(
        folder / "server", {"ANGELIA_BASE_URL": upstream.url, "ANGELIA_MODEL": "scripted"}
    )
    (server.home / "angelia.toml").write_text(settings)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        upstream.kill()
