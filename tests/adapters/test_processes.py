import asyncio
import contextlib
import os
import signal
from pathlib import Path

import pytest
import uvloop

from angelia.adapters import process_pipes
from angelia.adapters.process_family import members
from angelia.adapters.processes import PlainProcesses, environment
from angelia.errors import ToolError
from angelia.ports import Stream


class Printed:
    def __init__(self) -> None:
        self.stdout = b""
        self.stderr = b""
        self.news = asyncio.Event()

    async def __call__(self, data: bytes, stream: Stream) -> None:
        if stream == "stdout":
            self.stdout += data
        else:
            self.stderr += data
        self.news.set()

    async def says(self, text: bytes) -> None:
        while text not in self.stdout:
            self.news.clear()
            await self.news.wait()


@pytest.fixture
def sandbox(tmp_path: Path) -> PlainProcesses:
    return PlainProcesses(tmp_path)


async def printed_by(sandbox: PlainProcesses, command: str) -> tuple[int, bytes, bytes]:
    printed = Printed()
    code = await sandbox.run(command, printed)
    return code, printed.stdout, printed.stderr


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in (b"Z", b"X")


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize(
    ("command", "code", "stdout"),
    [
        ("echo hello", 0, b"hello\n"),
        ("printf 'no newline'", 0, b"no newline"),
        ("exit 3", 3, b""),
        ("kill -9 $$", 137, b""),
        ("kill -TERM $$", 143, b""),
        (r"printf '\377\376'", 0, b"\xff\xfe"),
        ("""echo "a'b" 'c"d' `echo e` $(echo "f\\"g") \\$HOME""", 0, b'a\'b c"d e f"g $HOME\n'),
        ("cat <<'X'\n$a `b`\nX", 0, b"$a `b`\n"),
        ("cat; echo end", 0, b"end\n"),
        ("head -c 300000 /dev/zero | tr '\\0' x", 0, b"x" * 300_000),
        ("exec 1>&- 2>&-; exit 4", 4, b""),
        ("syntax error (", 2, b""),
        ("# nothing", 0, b""),
    ],
)
async def test_what_a_command_prints_and_how_it_ends(
    sandbox: PlainProcesses, command: str, code: int, stdout: bytes
):
    assert (await printed_by(sandbox, command))[:2] == (code, stdout)


async def test_commands_run_in_the_workspace(sandbox: PlainProcesses, tmp_path: Path):
    _, stdout, _ = await printed_by(sandbox, "pwd; echo $HOME")
    assert stdout.decode().split() == [str(tmp_path.resolve())] * 2


async def test_no_secret_is_passed_on(tmp_path: Path):
    secrets = {
        "ANGELIA_API_KEY": "s3cret-1",
        "OPENAI_API_KEY": "s3cret-2",
        "LC_SOMETHING": "s3cret-3",
        "AWS_SECRET_ACCESS_KEY": "s3cret-4",
        "BASH_ENV": "s3cret-5",
    }
    sandbox = PlainProcesses(tmp_path, {**os.environ, **secrets, "LC_ALL": "C"})
    _, stdout, _ = await printed_by(sandbox, "env")
    assert b"s3cret" not in stdout
    assert b"API_KEY" not in stdout
    assert b"LC_ALL=C\n" in stdout


def test_an_empty_environment_has_what_a_shell_needs(tmp_path: Path):
    assert environment({}, tmp_path) == {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "HOME": str(tmp_path),
    }


@pytest.mark.parametrize("command", ["a\0b", "x" * 3_000_000])
async def test_what_cannot_be_started_is_a_tool_error(sandbox: PlainProcesses, command: str):
    with pytest.raises(ToolError, match="could not be started"):
        await sandbox.run(command, Printed())


async def test_a_workspace_that_is_gone_is_a_tool_error(tmp_path: Path):
    sandbox = PlainProcesses(tmp_path / "ws")
    (tmp_path / "ws").rmdir()
    with pytest.raises(ToolError, match="could not be started"):
        await sandbox.run("echo", Printed())


ESCAPES = {
    "child": "sleep 1000 &",
    "new session": "setsid sleep 1000 &",
    "no environment": "env -i setsid sleep 1000 &",
    "deaf": "nohup setsid sh -c 'trap \"\" TERM INT HUP; sleep 1000; true' &",
    "grandchild": "(setsid setsid sleep 1000 &);",
    "silent": "setsid sleep 1000 >/dev/null 2>&1 </dev/null &",
}


@pytest.mark.parametrize("escape", ESCAPES.values(), ids=ESCAPES.keys())
async def test_cancelling_kills_all_that_the_command_started(sandbox: PlainProcesses, escape: str):
    printed = Printed()
    mark = "echo mark=$ANGELIA_CALL pid=$$."
    task = asyncio.create_task(sandbox.run(f"{escape} {mark}; sleep 1000", printed))
    await printed.says(b".\n")
    words = dict(word.split("=") for word in printed.stdout.decode().rstrip(".\n").split())
    pid = int(words["pid"])
    family = members(pid, words["mark"])
    assert pid in family
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not any(alive(member) for member in family)
    assert members(pid, words["mark"]) == set()


async def test_a_process_that_is_just_being_born_is_killed_too(sandbox: PlainProcesses):
    """`setsid` forks into a session of its own and dies, while its family is being looked for."""
    for _ in range(8):
        printed = Printed()
        command = "echo $ANGELIA_CALL.; setsid sleep 1000"
        task = asyncio.create_task(sandbox.run(command, printed))
        await printed.says(b".\n")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert members(-1, printed.stdout.decode().rstrip(".\n")) == set()


async def test_cancelling_twice_still_waits_for_the_end(sandbox: PlainProcesses):
    printed = Printed()
    command = "setsid sleep 1000 & echo $ANGELIA_CALL.; wait"
    task = asyncio.create_task(sandbox.run(command, printed))
    await printed.says(b".\n")
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert members(-1, printed.stdout.decode().rstrip(".\n")) == set()


async def test_what_holds_the_pipe_after_the_end_is_killed(sandbox: PlainProcesses):
    code, stdout, _ = await printed_by(sandbox, "setsid sleep 1000 & sleep 1000 & echo $!.")
    assert code == 0
    assert not alive(int(stdout.rstrip(b".\n")))


async def test_what_is_left_in_the_background_without_output_is_killed(sandbox: PlainProcesses):
    code, stdout, _ = await printed_by(sandbox, "sleep 1000 >/dev/null 2>&1 & echo $!")
    assert code == 0
    pid = int(stdout)
    while alive(pid):
        await asyncio.sleep(0.001)


async def test_what_comes_right_after_the_end_is_read(
    sandbox: PlainProcesses, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process_pipes, "GRACE", 60)
    code, stdout, _ = await printed_by(sandbox, "(sleep 0.05; echo late) & exit 5")
    assert (code, stdout) == (5, b"late\n")


async def test_what_cannot_be_found_does_not_hold_up_the_end(sandbox: PlainProcesses):
    """No mark, no descent, its own session: all that is known of it is the pipe it holds."""
    command = "(env -i setsid sleep 30 & echo $! >pid) & wait; echo done"
    code, stdout, _ = await printed_by(sandbox, command)
    assert (code, stdout) == (0, b"done\n")
    _, pid, _ = await printed_by(sandbox, "cat pid")
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(pid), signal.SIGKILL)


async def test_output_of_both_streams_keeps_its_order_as_far_as_it_can_be_seen(
    sandbox: PlainProcesses,
):
    seen: list[Stream] = []

    async def note(data: bytes, stream: Stream) -> None:
        seen.append(stream)

    await sandbox.run("for i in 1 2 3; do echo a; sleep 0.02; echo b >&2; sleep 0.02; done", note)
    assert seen == ["stdout", "stderr"] * 3


async def test_no_descriptor_and_no_zombie_is_left(sandbox: PlainProcesses):
    await printed_by(sandbox, "true")
    before = descriptors()
    pids: list[int] = []
    for command in ("echo $$", "echo $$; exit 3", "echo $$; sleep 1000 & true"):
        _, stdout, _ = await printed_by(sandbox, command)
        pids.append(int(stdout))
    assert descriptors() == before
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_it_works_on_either_event_loop(sandbox: PlainProcesses):
    async def cancelled() -> bytes:
        printed = Printed()
        task = asyncio.create_task(sandbox.run("setsid sleep 1000 & echo $!.; wait", printed))
        await printed.says(b".\n")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return printed.stdout.rstrip(b".\n")

    for run in (asyncio.run, uvloop.run):
        ended = run(printed_by(sandbox, "echo out; echo err >&2; exit 7"))
        assert ended == (7, b"out\n", b"err\n")
        assert not alive(int(run(cancelled())))
