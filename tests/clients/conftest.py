"""The clients, each told all its cases at once, and a server whose provider fails when asked to."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.clients import reports
from tests.clients.asking import Told
from tests.clients.cases import CASES, KEEP_ALIVE, Case
from tests.clients.reports import Report
from tests.clients.zoo import CLIENTS, Client
from tests.support import node
from tests.support.server import AngeliaServer, UpstreamProcess

HERE = Path(__file__).parent
CONFIG = f"""
[server]
keep_alive = {KEEP_ALIVE}

[agent]
unknown_model = "reject"

[model]
base_url = "{{url}}"
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
    command, missing = node.command()
    if missing:
        pytest.skip(missing)
    return command


@pytest.fixture(scope="session")
def all_cases(demo_server: AngeliaServer, faulty_server: AngeliaServer) -> dict[str, Case]:
    return {name: case.at(demo_server, faulty_server) for name, case in CASES.items()}


@pytest.fixture(scope="session")
def all_reports(request: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """The first worker that comes asks the clients that any test here needs; the others read."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if hasattr(request.config, "workerinput") else own
    written = shared / "clients.json"
    with reports.alone(shared / "clients.lock"):
        if not written.exists():
            home = tmp_path_factory.mktemp("home")
            asked = request.getfixturevalue("all_cases")
            said = asyncio.run(reports.of_all(needed(request.session.items), asked, home))
            written.write_bytes(msgspec.json.encode(said))
    return msgspec.json.decode(written.read_bytes(), type=dict[str, Report])


def needed(tests: list[Any]) -> list[Client]:
    """Tests elsewhere may be given something of the same name."""
    own = [test for test in tests if test.path.parent == HERE and hasattr(test, "callspec")]
    params = [test.callspec.params for test in own]
    names = {given["told"][0].name for given in params if "told" in given}
    return [client for client in CLIENTS if client.name in names]


@pytest.fixture
def told(request: Any, all_reports: dict[str, Report]) -> Told:
    client, name = request.param
    report = all_reports[client.name]
    if report.missing:
        pytest.skip(f"{client.name} was not tested: {report.missing}")
    assert (report.code, report.stderr) == (0, "")
    seen = report.seen[name]
    runs = [report.runs[run_id] for run_id in dict.fromkeys(seen.runs) if run_id]
    return Told(client, name, CASES[name], seen, runs)
