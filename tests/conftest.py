"""Fixtures for tests of the whole system, and strict mode, in which a skipped test is a failure."""

import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.support import process
from tests.support.http import Client
from tests.support.server import AngeliaServer, UpstreamProcess

StartServer = Callable[..., AngeliaServer]
StartUpstream = Callable[..., UpstreamProcess]


def pytest_configure() -> None:
    process.end_all_with_us()
    # A shell lets what it runs in the background ignore Ctrl-C, and so would commands of tests.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    """One server with the demo model for all tests that leave it as they found it."""
    server = AngeliaServer(tmp_path_factory.mktemp("demo"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def client(demo_server: AngeliaServer) -> AsyncIterator[Client]:
    """The first key at the shared demo server."""
    async with Client(demo_server.url, demo_server.key) as client:
        yield client


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Starts servers with the given environment; each dies with the test."""
    started: list[AngeliaServer] = []

    def start(**env: str) -> AngeliaServer:
        server = AngeliaServer(tmp_path / f"server-{len(started)}", env)
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.kill()


@pytest.fixture
def server(start_server: StartServer) -> AngeliaServer:
    """A server of the test's own, with the demo model; it may be stopped and killed."""
    return start_server()


@pytest.fixture
def impatient_server(tmp_path: Path) -> Iterator[AngeliaServer]:
    """One that waits for nobody when it stops."""
    server = AngeliaServer(tmp_path / "impatient")
    (server.home / "angelia.toml").write_text("[server]\ndrain = 0\n")
    server.start()
    yield server
    server.kill()


@pytest.fixture
def start_upstream(tmp_path: Path) -> Iterator[StartUpstream]:
    """Starts scripted model servers; each dies with the test."""
    started: list[UpstreamProcess] = []

    def start(script: Path | None = None) -> UpstreamProcess:
        folder = tmp_path / f"upstream-{len(started)}"
        folder.mkdir()
        upstream = UpstreamProcess(folder, script)
        started.append(upstream)
        upstream.start()
        return upstream

    yield start
    for upstream in started:
        upstream.kill()


@pytest.fixture
def upstream_server(start_upstream: StartUpstream) -> UpstreamProcess:
    """A scripted model server without a script: it answers as the demo model."""
    return start_upstream()


# ── strict mode ─────────────────────────────────────────────────────────────────────────────

STRICT = os.environ.get("ANGELIA_STRICT") == "1"


def _skipped(config: pytest.Config) -> int:
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    return len(terminal.stats.get("skipped", ())) if terminal else 0


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if STRICT and session.exitstatus == pytest.ExitCode.OK and _skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if STRICT and (count := _skipped(terminalreporter.config)):
        terminalreporter.section("strict mode", red=True)
        terminalreporter.line(f"{count} skipped: in strict mode every test must run.")
