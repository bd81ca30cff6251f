import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import uvloop

from angelia.adapters import process_pipes
from angelia.adapters.process_family import members
from angelia.adapters.processes import PlainProcesses, environment
from angelia.errors import ToolError
from angelia.ports import Command
from tests.support.commands import Reader, alive, bearing, run


@pytest.fixture
def sandbox(tmp_path: Path) -> PlainProcesses:
    return PlainProcesses(tmp_path)


async def test_no_secret_is_passed_on(tmp_path: Path):
    secrets = {
        "ANGELIA_API_KEY": "s3cret-1",
        "OPENAI_API_KEY": "s3cret-2",
        "LC_SOMETHING": "s3cret-3",
        "AWS_SECRET_ACCESS_KEY": "s3cret-4",
        "BASH_ENV": "s3cret-5",
    }
    sandbox = PlainProcesses(tmp_path, {**os.environ, **secrets, "LC_ALL": "C"})
    stdout = (await run(sandbox, "env")).stdout
    assert b"s3cret" not in stdout
    assert b"API_KEY" not in stdout
    assert b"LC_ALL=C\n" in stdout


def test_an_empty_environment_has_what_a_shell_needs(tmp_path: Path):
    assert environment({}, tmp_path) == {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "HOME": str(tmp_path),
    }


async def test_a_workspace_that_is_gone_is_a_tool_error(tmp_path: Path):
    sandbox = PlainProcesses(tmp_path / "ws")
    (tmp_path / "ws").rmdir()
    with pytest.raises(ToolError, match="could not be started"):
        await run(sandbox, "echo")


async def test_a_process_that_is_just_being_born_is_killed_too(sandbox: PlainProcesses):
    """`setsid` forks into a session of its own and dies, while its family is being looked for."""
    for _ in range(8):
        process = await sandbox.start(Command("echo $ANGELIA_CALL.; setsid sleep 1000"))
        mark = (await Reader(process).says(b".\n")).decode().rstrip(".\n")
        await process.kill()
        assert members(-1, mark) == set()


async def test_what_holds_the_pipe_after_the_end_is_killed(sandbox: PlainProcesses):
    ran = await run(sandbox, "setsid sleep 1000 & sleep 1000 & echo $!.")
    assert ran.code == 0
    assert not alive(int(ran.stdout.rstrip(b".\n")))


async def test_what_comes_right_after_the_end_is_read(
    sandbox: PlainProcesses, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process_pipes, "GRACE", 60)
    ran = await run(sandbox, "(sleep 0.05; echo late) & exit 5")
    assert (ran.code, ran.stdout) == (5, b"late\n")


async def test_what_cannot_be_found_does_not_hold_up_the_end(sandbox: PlainProcesses):
    """No mark, no descent, its own session: all that is known of it is the pipe it holds."""
    ran = await run(sandbox, "(env -i setsid sleep 30 & echo $! >pid) & wait; echo done")
    assert (ran.code, ran.stdout) == (0, b"done\n")
    pid = (await run(sandbox, "cat pid")).stdout
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(pid), signal.SIGKILL)


async def test_no_zombie_is_left(sandbox: PlainProcesses):
    for command in ("echo $$", "echo $$; exit 3", "echo $$; sleep 1000 & true"):
        pid = (await run(sandbox, command)).stdout.decode().strip()
        assert not Path(f"/proc/{pid}").exists()


def test_it_works_on_either_event_loop(tmp_path: Path):
    async def killed() -> bytes:
        process = await PlainProcesses(tmp_path).start(
            Command("setsid sleep 1000 & echo $!.; wait")
        )
        pid = await Reader(process).says(b".\n")
        await process.kill()
        return pid.rstrip(b".\n")

    async def ended() -> tuple[int, bytes, bytes]:
        ran = await run(PlainProcesses(tmp_path), "echo out; echo err >&2; exit 7")
        return ran.code, ran.stdout, ran.stderr

    for each in (asyncio.run, uvloop.run):
        assert each(ended()) == (7, b"out\n", b"err\n")
        assert not alive(int(each(killed())))


CRASHING = """
import asyncio, os, signal, sys
from pathlib import Path
from angelia.adapters.processes import PlainProcesses
from angelia.ports import Command
async def main():
    home = Path(sys.argv[1])
    process = await PlainProcesses(home / "workspace", home=home).start(Command(sys.argv[2]))
    await process.next()
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


def test_what_a_killed_server_left_behind_is_ended_by_the_next(tmp_path: Path):
    name = f"1000.{os.getpid()}"
    line = f"setsid sleep {name} >/dev/null 2>&1 & sleep {name} & echo on; wait"
    arguments = [sys.executable, "-c", CRASHING, str(tmp_path), line]
    assert subprocess.run(arguments, check=False).returncode == -signal.SIGKILL
    left = bearing(name)
    assert len(left) >= 2
    PlainProcesses(tmp_path / "other", home=tmp_path / "other")
    assert bearing(name) == left
    PlainProcesses(tmp_path / "workspace", home=tmp_path)
    assert not any(alive(pid) for pid in left)
