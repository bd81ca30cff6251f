"""A program as a process of its own: started, awaited, stopped, killed, cleaned up."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

START_SECONDS = 30.0
STOP_SECONDS = 20.0


_running: "set[subprocess.Popen[bytes]]" = set()


def end_all_with_us() -> None:
    """What runs here ends when SIGTERM ends the tests, which then get no chance to clean up."""

    def end(number: int, _: object) -> None:
        for process in _running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    signal.signal(signal.SIGTERM, end)


class NotReady(Exception):
    """A process that ended or stayed silent; the message holds what it wrote."""


def free_port() -> int:
    """Below those that the system hands out to connections, which would take it in the meantime."""
    while True:
        port = random.randrange(12_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


def clean_env(home: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """Nothing of the caller's settings or keys reaches the process."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "PYTHONUNBUFFERED": "1",
        **extra,
    }


ANGELIA = (sys.executable, "-m", "angelia")


class Process:
    """`program` with `arguments`; what it writes goes to files in `folder`."""

    def __init__(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        folder: Path,
        program: Sequence[str] = ANGELIA,
    ) -> None:
        self._command = [*program, *arguments]
        self._env = dict(env)
        self._stdout = folder / "stdout.txt"
        self._stderr = folder / "stderr.txt"
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    @property
    def stdout(self) -> str:
        return self._stdout.read_text(errors="replace")

    @property
    def stderr(self) -> str:
        return self._stderr.read_text(errors="replace")

    def start(self, ready_url: str) -> None:
        with self._stdout.open("ab") as out, self._stderr.open("ab") as err:
            self._running = subprocess.Popen(
                self._command,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        _running.add(self._running)
        self._await(ready_url)

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self._running is not None
        self._running.send_signal(signal.SIGTERM)
        code = self._running.wait(STOP_SECONDS)
        _running.discard(self._running)
        return code

    def kill(self) -> None:
        """SIGKILL to the process and everything in its group. Does nothing when it is gone."""
        if self._running is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._running.pid, signal.SIGKILL)
        self._running.wait(STOP_SECONDS)
        _running.discard(self._running)

    def _await(self, ready_url: str) -> None:
        assert self._running is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._running.poll() is None:
            if _answers(ready_url):
                return
            time.sleep(0.02)
        self.kill()
        code = self._running.returncode
        raise NotReady(f"exit code {code}\n{self.stdout}\n{self.stderr}")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except urllib.error.HTTPError as error:
        error.close()
        return False
    except OSError:
        return False
