"""The clients, each told all cases once, and a server whose provider fails when it is asked to."""

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tests.clients import openai_python
from tests.clients.cases import Case, Seen, cases
from tests.support import node
from tests.support.server import AngeliaServer, UpstreamProcess

SECONDS = 60
CONFIG = """
[server]
keep_alive = 0.2

[agent]
unknown_model = "reject"

[model]
base_url = "{url}"
name = "scripted"
retries = 0
"""


@pytest.fixture(scope="session")
def faulty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    """Fills silence early, knows only its own model, and does not retry."""
    folder = tmp_path_factory.mktemp("faulty")
    upstream = UpstreamProcess(folder)
    server = AngeliaServer(folder / "server")
    try:
        upstream.start()
        (server.home / "angelia.toml").write_text(CONFIG.format(url=upstream.url))
        server.start()
        yield server
    finally:
        server.kill()
        upstream.kill()


@pytest.fixture(scope="session")
def node_command() -> str:
    """Node, with the packages of the lock file beside it."""
    found = shutil.which("node", path=node.search_path())
    if found is None:
        pytest.skip("node is missing: the JavaScript clients were not tested")
    if not (node.CLIENTS / "node_modules").is_dir():
        pytest.skip("python -m tests.support.node has not run: no JavaScript client was tested")
    return found


@pytest.fixture(scope="session")
def all_cases(demo_server: AngeliaServer, faulty_server: AngeliaServer) -> dict[str, Case]:
    return cases(demo_server, faulty_server)


@pytest.fixture(scope="session", params=["openai-python", "openai-node", "ai-sdk"])
def seen(request: Any, all_cases: dict[str, Case]) -> dict[str, Seen]:
    """What one client saw, by the name of the case."""
    if request.param == "openai-python":
        return asyncio.run(openai_python.report(all_cases))
    script = request.param.replace("-", "_") + ".mjs"
    return told_by_node(request.getfixturevalue("node_command"), script, all_cases)


def told_by_node(command: str, script: str, all_cases: dict[str, Case]) -> dict[str, Seen]:
    done = subprocess.run(
        [command, script],
        cwd=node.CLIENTS,
        env=node.environment(),
        input=msgspec.json.encode(all_cases),
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    return msgspec.json.decode(done.stdout, type=dict[str, Seen])
