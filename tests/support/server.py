"""`angelia serve` and `angelia upstream` as processes, each in a folder of its own."""

from collections.abc import Mapping
from pathlib import Path

from tests.support.disks import Disk
from tests.support.process import ANGELIA, Process, clean_env, free_port
from tests.support.sandboxes import sandbox_works


class AngeliaServer:
    """A server with a home folder. The home and the port outlive a stop, a kill and a restart.

    `disk` is where its home is, if that is not in `folder`.
    """

    def __init__(
        self, folder: Path, env: Mapping[str, str] | None = None, disk: Disk | None = None
    ) -> None:
        self.home = (disk.root if disk else folder) / ".angelia"
        self.port = free_port()
        for each in (folder, self.home):
            each.mkdir(parents=True, exist_ok=True)
        self.env = clean_env(
            folder,
            {
                "ANGELIA_HOME": str(disk.path / ".angelia" if disk else self.home),
                "ANGELIA_PORT": str(self.port),
                "ANGELIA_APPROVALS": "allow",
                # Where no sandbox works, its own tests are skipped, and the others run without.
                "ANGELIA_SANDBOX": "auto" if sandbox_works() else "none",
                **(env or {}),
            },
        )
        program = (*disk.enter, *ANGELIA) if disk else ANGELIA
        self._process = Process(["serve"], self.env, folder, program)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> str:
        return self.env.get("ANGELIA_API_KEY") or (self.home / "key").read_text().strip()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stdout(self) -> str:
        return self._process.stdout

    @property
    def stderr(self) -> str:
        return self._process.stderr

    def start(self) -> None:
        """Ready once this returns."""
        self._process.start(f"{self.url}/health")

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        return self._process.stop()

    def kill(self) -> None:
        """SIGKILL, as a crash would end it."""
        self._process.kill()

    def restart(self) -> None:
        """A crash and the start after it."""
        self.kill()
        self.start()


class UpstreamProcess:
    """The scripted model server. `url` is what ANGELIA_BASE_URL takes."""

    def __init__(self, folder: Path, script: Path | None = None, *options: str) -> None:
        self.port = free_port()
        arguments = ["upstream", "--port", str(self.port), *options]
        if script is not None:
            arguments += ["--script", str(script)]
        self._process = Process(arguments, clean_env(folder, {}), folder)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def stderr(self) -> str:
        return self._process.stderr

    def start(self) -> None:
        self._process.start(f"{self.url}/models")

    def kill(self) -> None:
        self._process.kill()
