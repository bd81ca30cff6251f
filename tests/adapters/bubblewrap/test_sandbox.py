import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop

from angelia.adapters.bubblewrap import sessions
from angelia.adapters.bubblewrap.sandbox import Bubblewrap
from angelia.errors import ToolError
from angelia.ports import Command, Screen
from tests.support.commands import Reader, bearing, descriptors, run
from tests.support.sandboxes import bubblewrapped


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncGenerator[Bubblewrap]:
    made = bubblewrapped(tmp_path / "home" / "workspace", tmp_path / "home")
    yield made
    await made.close()


async def test_what_people_need_is_there(sandbox: Bubblewrap):
    ran = await run(sandbox, "whoami; hostname; python3 -c 'import ssl, sqlite3'; getent passwd")
    assert ran.stderr == b""
    assert ran.stdout.split()[:2] == [b"angelia", b"sandbox"]
    programs = "git sed awk grep tar find curl rg node"
    there = [name for name in programs.split() if (Path("/usr/bin") / name).exists()]
    assert (await run(sandbox, f"type -P {' '.join(there)}")).code == 0


async def test_archives_of_others_can_be_unpacked(sandbox: Bubblewrap):
    line = "touch f && tar --owner=12345 --group=12345 -cf a.tar f && rm f && tar -xf a.tar"
    ran = await run(sandbox, line)
    assert (ran.code, ran.text) == (0, "")


async def test_the_workspace_may_lie_anywhere(tmp_path: Path):
    for workspace in (tmp_path / "elsewhere", tmp_path / "home" / "deep" / "er"):
        sandbox = bubblewrapped(workspace, tmp_path / "home")
        assert (await run(sandbox, "pwd; echo hi >file")).stdout.decode().strip() == str(workspace)
        assert (workspace / "file").read_text() == "hi\n"
        await sandbox.close()


async def test_a_folder_that_may_be_read_is_read(tmp_path: Path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "file").write_text("there")
    made = bubblewrapped(tmp_path / "w", tmp_path / "h")
    sandbox = Bubblewrap(
        tmp_path / "w", tmp_path / "h", means=made._means, readable=[tmp_path / "more"]
    )
    ran = await run(sandbox, f"cat {tmp_path}/more/file; echo x >{tmp_path}/more/file")
    assert ran.stdout == b"there"
    assert (tmp_path / "more" / "file").read_text() == "there"
    await sandbox.close()
    await made.close()


def test_the_whole_machine_is_no_workspace(tmp_path: Path):
    made = bubblewrapped(tmp_path / "w", tmp_path / "h")
    sandbox = Bubblewrap(Path("/"), tmp_path / "h", means=made._means)
    assert "choose a folder" in str(sandbox.fault())


async def test_what_bubblewrap_complains_of_is_told(sandbox: Bubblewrap, tmp_path: Path):
    (tmp_path / "home" / "sandbox" / "etc").rename(tmp_path / "gone")
    assert "bubblewrap does not work here" in str(sandbox.fault())
    try:
        said = (await run(sandbox, "echo on")).text
    except ToolError as error:
        # It failed before it was let go.
        said = str(error)
    assert "bwrap" in said
    (tmp_path / "home" / "sandbox" / "tmp").rmdir()
    (tmp_path / "home" / "sandbox").chmod(0o500)
    (tmp_path / "home" / "sandbox" / "tmp").write_text("no folder")
    with pytest.raises(ToolError, match="session could not be opened"):
        await run(sandbox, Command("echo on", session="one"))


async def test_idle_sessions_beyond_a_number_are_given_up(
    sandbox: Bubblewrap, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sessions, "IDLE", 2)
    before = descriptors()
    for name in ("1", "2", "3", "4", "1", "5"):
        await run(sandbox, Command("touch /tmp/of-$$; ls /tmp | wc -l", session=name))
    await sandbox._sessions.tidy()
    assert list(sandbox._sessions._open) == ["1", "5"]
    await sandbox.close()
    assert descriptors() == before


def test_it_works_on_either_event_loop(tmp_path: Path):
    async def work() -> tuple[int, bytes, bytes]:
        sandbox = bubblewrapped(tmp_path / "w", tmp_path / "h")
        ran = await run(sandbox, Command("echo out; echo err >&2; exit 7", session="one"))
        typed = await sandbox.start(Command("read x; echo got $x", input=True, screen=Screen()))
        await typed.write(b"it\n")
        await Reader(typed).says(b"got it")
        await sandbox.close()
        return ran.code, ran.stdout, ran.stderr

    for each in (asyncio.run, uvloop.run):
        assert each(work()) == (7, b"out\n", b"err\n")


# ── a server that is killed ─────────────────────────────────────────────────────────────────

CRASHING = """
import asyncio, os, signal, sys
from pathlib import Path
from angelia.adapters.bubblewrap import Bubblewrap, means
from angelia.ports import Command
async def main():
    home = Path(sys.argv[1])
    sandbox = Bubblewrap(home / "workspace", home, means=means())
    for session in ("", "one"):
        process = await sandbox.start(Command(sys.argv[2], session=session))
        await process.next()
    print("on", flush=True)
    signal.pause()
asyncio.run(main())
"""


async def test_everything_dies_with_a_server_that_is_killed(sandbox: Bubblewrap, tmp_path: Path):
    name = f"1000.{os.getpid()}"
    line = f"setsid sleep {name} & sleep {name} & echo on; wait"
    arguments = [sys.executable, "-c", CRASHING, str(tmp_path / "other"), line]
    server = subprocess.Popen(arguments, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"on\n"
    assert len(bearing(name)) >= 4
    server.kill()
    server.wait()
    server.stdout.close()
    while bearing(name):
        await asyncio.sleep(0.001)
    again = bubblewrapped(tmp_path / "other" / "workspace", tmp_path / "other")
    assert (await run(again, "echo fine")).stdout == b"fine\n"
    await again.close()


STARTING = """
import asyncio, os, signal, sys
from pathlib import Path
from angelia.adapters.bubblewrap import Bubblewrap, means, sandbox
from angelia.ports import Command
async def die(fd):
    os.kill(os.getpid(), signal.SIGKILL)
sandbox.read_all = die
async def main():
    home = Path(sys.argv[1])
    await Bubblewrap(home / "workspace", home, means=means()).start(Command(sys.argv[2]))
asyncio.run(main())
"""


async def test_a_command_that_was_not_let_go_never_runs(sandbox: Bubblewrap, tmp_path: Path):
    home = tmp_path / "other"
    arguments = [sys.executable, "-c", STARTING, str(home), "touch ran; sleep 1000"]
    assert subprocess.run(arguments, check=False).returncode == -signal.SIGKILL
    await run(sandbox, "sleep 0.1")
    assert not (home / "workspace" / "ran").exists()
    await bubblewrapped(home / "workspace", home).close()
    assert bearing(str(home / "workspace")) == set()


# ── the way out ─────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def proxy(path: Path) -> AsyncGenerator[list[bytes]]:
    """Answers every call with what it heard."""
    heard: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        heard.append(head)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nproxy")
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_unix_server(answer, path)
    async with server:
        yield heard


GET = "import urllib.request as r; print(r.urlopen('http://example.org/x').read().decode())"


@pytest.mark.parametrize("session", ["", "one"])
async def test_the_proxy_is_reached_and_nothing_else(tmp_path: Path, session: str):
    socket_file = tmp_path / "egress.sock"
    async with proxy(socket_file) as heard:
        sandbox = bubblewrapped(tmp_path / "w", tmp_path / "h", egress=socket_file)
        ran = await run(sandbox, Command(f'python3 -c "{GET}"', session=session))
        assert (ran.stdout, ran.stderr) == (b"proxy\n", b"")
        assert heard[0].startswith(b"GET http://example.org/x HTTP/1.1\r\n")
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
            ran = await run(sandbox, Command(f"echo </dev/tcp/127.0.0.1/{port}", session=session))
            assert b"refused" in ran.stderr
        ran = await run(sandbox, Command(f"test -e {socket_file}", session=session))
        assert ran.code
        await sandbox.close()


async def test_a_proxy_that_is_gone_is_an_answer_without_words(tmp_path: Path):
    sandbox = bubblewrapped(tmp_path / "w", tmp_path / "h", egress=tmp_path / "nobody")
    ran = await run(sandbox, f'python3 -c "{GET}"')
    assert b"RemoteDisconnected" in ran.stderr or b"reset" in ran.stderr
    await sandbox.close()


async def test_without_a_proxy_there_is_no_word_of_one(sandbox: Bubblewrap):
    assert b"_proxy=" not in (await run(sandbox, "env")).stdout.lower()
