"""Starting the servers under test on free loopback ports, and ending them whatever happens."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.dialects import DIALECTS
from bench.peers import starting
from bench.scenarios import PEERS

ROOT = Path(__file__).parent.parent
KEY = starting.KEY
READY_WITHIN = 20.0
# Some of the others load for long before they listen.
PEER_READY_WITHIN = 90.0
POLL = 0.01
_TAIL = 2000


class NotReady(Exception):
    """A server ended or kept silent before it was ready; the message ends with its output."""


class Server(msgspec.Struct, frozen=True):
    """A server that is up."""

    name: str
    pid: int
    address: str
    output: Path
    health: str = "/health"
    ready_s: float = 0.0

    def dialect(self, surface: str) -> str:
        """How it speaks: as its surface does, unless it has a protocol of its own."""
        return self.name if self.name in DIALECTS else surface

    def tail(self) -> str:
        return self.output.read_text(errors="replace")[-_TAIL:]


@contextlib.contextmanager
def upstream(home: Path) -> Iterator[Server]:
    command = starting.Command([*_module("bench.upstream"), "--port={port}"])
    with _running("upstream", command, home) as server:
        yield server


@contextlib.contextmanager
def target(name: str, base_url: str, home: Path) -> Iterator[Server]:
    """A server that asks the model at `base_url`; `NotReady` when it does not come up."""
    home.mkdir(parents=True, exist_ok=True)
    if name in PEERS:
        command = starting.command(name, base_url, home)
        within = PEER_READY_WITHIN
    else:
        command, within = _ours(name, base_url, home), READY_WITHIN
    with _running(name, command, home, within) as server:
        yield server


def _ours(name: str, base_url: str, home: Path) -> starting.Command:
    if name == "angelia":
        return starting.Command([*_module("angelia"), "serve"], _settings(base_url, home))
    module = _module(f"bench.{name}")
    return starting.Command([*module, "--port={port}", f"--base-url={base_url}"])


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", name]


def _settings(base_url: str, home: Path) -> dict[str, str]:
    return {
        "ANGELIA_HOME": str(home / "state"),
        "ANGELIA_PORT": "{port}",
        "ANGELIA_API_KEY": KEY,
        "ANGELIA_BASE_URL": base_url,
        "ANGELIA_PROTOCOL": "chat",
        "ANGELIA_MODEL": "bench",
        "ANGELIA_APPROVALS": "allow",
        "ANGELIA_SANDBOX": "none",
        "ANGELIA_LOG": "warning",
    }


def _environment(settings: dict[str, str]) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("ANGELIA_")}
    return inherited | {"PYTHONPATH": str(ROOT)} | settings


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def _running(
    name: str, command: starting.Command, home: Path, within: float = READY_WITHIN
) -> Iterator[Server]:
    home.mkdir(parents=True, exist_ok=True)
    port, output = _free_port(), home / f"{name}.out"
    command = command.on(port)
    begun = time.monotonic()
    with output.open("wb") as sink:
        process = subprocess.Popen(
            command.line,
            cwd=home,
            env=_environment(command.settings),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = Server(name, process.pid, f"http://127.0.0.1:{port}", output, command.health)
    try:
        _await_ready(process, server, begun + within)
        yield msgspec.structs.replace(server, ready_s=time.monotonic() - begun)
    finally:
        _end(process)


def _await_ready(process: subprocess.Popen[bytes], server: Server, deadline: float) -> None:
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise NotReady(f"{server.name} ended with {process.returncode}\n{server.tail()}")
        if _healthy(server):
            return
        time.sleep(POLL)
    raise NotReady(f"{server.name} is not ready in time\n{server.tail()}")


def _healthy(server: Server) -> bool:
    try:
        with urllib.request.urlopen(server.address + server.health, timeout=1) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
    # The group may outlive its leader: a tool process, or a server deaf to SIGTERM.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
