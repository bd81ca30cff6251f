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

from bench import framing

ROOT = Path(__file__).parent.parent
KEY = "bench-key-0123456789abcdef"
TARGETS = ("relay", "floor", "angelia")
READY_WITHIN = 20.0
_TAIL = 2000


class NotReady(Exception):
    """A server ended or kept silent before it was ready; the message ends with its output."""


class Server(msgspec.Struct, frozen=True):
    """A server that is up."""

    name: str
    pid: int
    address: str
    output: Path

    @property
    def chat_url(self) -> str:
        return self.address + framing.CHAT_PATH

    def tail(self) -> str:
        return self.output.read_text(errors="replace")[-_TAIL:]


@contextlib.contextmanager
def upstream(home: Path) -> Iterator[Server]:
    port = _free_port()
    with _running("upstream", [*_module("bench.upstream"), f"--port={port}"], port, home) as server:
        yield server


@contextlib.contextmanager
def target(name: str, base_url: str, home: Path) -> Iterator[Server]:
    """One of `TARGETS`, asking the model at `base_url`; `NotReady` when it does not come up."""
    port = _free_port()
    if name == "angelia":
        command, settings = [*_module("angelia"), "serve"], _settings(port, base_url, home)
    else:
        command = [*_module(f"bench.{name}"), f"--port={port}", f"--base-url={base_url}"]
        settings = {}
    with _running(name, command, port, home, settings) as server:
        yield server


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", name]


def _settings(port: int, base_url: str, home: Path) -> dict[str, str]:
    return {
        "ANGELIA_HOME": str(home / "state"),
        "ANGELIA_PORT": str(port),
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
    name: str, command: list[str], port: int, home: Path, settings: dict[str, str] | None = None
) -> Iterator[Server]:
    home.mkdir(parents=True, exist_ok=True)
    output = home / f"{name}.out"
    with output.open("wb") as sink:
        process = subprocess.Popen(
            command,
            cwd=home,
            env=_environment(settings or {}),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = Server(name, process.pid, f"http://127.0.0.1:{port}", output)
    try:
        _await_ready(process, server)
        yield server
    finally:
        _end(process)


def _await_ready(process: subprocess.Popen[bytes], server: Server) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise NotReady(f"{server.name} ended with {process.returncode}\n{server.tail()}")
        if _healthy(server.address):
            return
        time.sleep(0.05)
    raise NotReady(f"{server.name} is not ready after {READY_WITHIN:g} s\n{server.tail()}")


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=1) as response:
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
