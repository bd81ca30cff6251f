"""What every sandbox promises."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

import pytest

from angelia.adapters.memory.sandbox import Script, ScriptedSandbox
from angelia.adapters.processes import PlainProcesses
from angelia.errors import ToolError
from angelia.ports import Command, Exit, Sandbox, Screen
from tests.support.commands import Reader, alive, bearing, descriptors, run, together
from tests.support.sandboxes import bubblewrapped

BOTH = "printf out; printf err >&2; exit 3"
ENDLESS = "echo started; sleep 1000"
READS = "read line; echo got $line; read line"
SCRIPTS = {
    "true": Script(folder="."),
    "printf 'a b'": Script(((b"a b", "stdout"),)),
    BOTH: Script(((b"out", "stdout"), (b"err", "stderr")), code=3),
    ENDLESS: Script(((b"started\n", "stdout"),), hangs=True),
    READS: Script(((b"got it\n", "stdout"),), hangs=True),
}


REAL = ("bubblewrap", "bubblewrap without control groups", "plain processes")


@pytest.fixture(params=[*REAL, "scripted"])
async def sandbox(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Sandbox]:
    made = _sandbox(request.param, tmp_path / "home", monkeypatch)
    yield made
    await made.close()


@pytest.fixture(params=REAL)
async def real(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Sandbox]:
    """One that runs something."""
    made = _sandbox(request.param, tmp_path / "home", monkeypatch)
    yield made
    await made.close()


def _sandbox(name: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    if name == "scripted":
        return ScriptedSandbox(SCRIPTS)
    if name == "plain processes":
        return PlainProcesses(home / "workspace", home=home)
    if name != "bubblewrap":
        monkeypatch.setattr("angelia.adapters.bubblewrap.cgroups.find", lambda _: None)
    return bubblewrapped(home / "workspace", home)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return (tmp_path / "home" / "workspace").resolve()


# ── all of them ─────────────────────────────────────────────────────────────────────────────


async def test_it_says_how_far_commands_are_kept_apart(sandbox: Sandbox):
    assert sandbox.level
    assert sandbox.reason == ""


async def test_a_command_without_output_ends_with_its_code(sandbox: Sandbox):
    ran = await run(sandbox, "true")
    assert (ran.exit, ran.text) == (Exit(0, "."), "")


async def test_output_comes_as_it_is(sandbox: Sandbox):
    ran = await run(sandbox, "printf 'a b'")
    assert (ran.code, ran.stdout) == (0, b"a b")


async def test_both_streams_are_told_apart(sandbox: Sandbox):
    ran = await run(sandbox, BOTH)
    assert (ran.code, ran.stdout, ran.stderr) == (3, b"out", b"err")


async def test_an_unknown_command_is_127(sandbox: Sandbox):
    ran = await run(sandbox, "no-such-command-anywhere")
    assert ran.code == 127
    assert b"not found" in ran.stderr


async def test_output_arrives_while_the_command_runs_and_kill_ends_it(sandbox: Sandbox):
    process = await sandbox.start(Command(ENDLESS))
    reader = Reader(process)
    await reader.says(b"started")
    await process.kill()
    await reader.rest()
    assert (await process.wait()).code == 137
    await process.kill()


async def test_the_end_can_be_waited_for_any_number_of_times(sandbox: Sandbox):
    process = await sandbox.start(Command(BOTH))
    waited = await asyncio.gather(process.wait(), process.wait())
    assert [*waited, await process.wait()] == [waited[0]] * 3
    assert waited[0].code == 3


async def test_whoever_is_cancelled_while_waiting_leaves_the_command_alone(sandbox: Sandbox):
    process = await sandbox.start(Command(ENDLESS))
    waiting = asyncio.create_task(process.wait())
    await Reader(process).says(b"started")
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    await process.kill()
    assert (await process.wait()).code == 137


async def test_what_was_printed_can_be_read_after_the_end(sandbox: Sandbox):
    process = await sandbox.start(Command(BOTH))
    reader = Reader(process)
    if not isinstance(sandbox, ScriptedSandbox):
        await process.wait()
    await reader.rest()
    assert reader.printed == {"stdout": b"out", "stderr": b"err"}


async def test_without_input_nothing_can_be_written(sandbox: Sandbox):
    process = await sandbox.start(Command(ENDLESS))
    with pytest.raises(ToolError):
        await process.write(b"x")
    await process.kill()


async def test_what_is_written_is_read(sandbox: Sandbox):
    process = await sandbox.start(Command(READS, input=True))
    await process.write(b"it\n")
    await Reader(process).says(b"got it\n")
    await process.kill()
    with pytest.raises(ToolError):
        await process.write(b"x")


async def test_commands_run_side_by_side(sandbox: Sandbox):
    for ran in await together(sandbox, *[BOTH] * 5):
        assert (ran.code, ran.stdout, ran.stderr) == (3, b"out", b"err")


async def test_closing_ends_what_still_runs(sandbox: Sandbox):
    process = await sandbox.start(Command(ENDLESS, session="one"))
    await sandbox.close()
    if not isinstance(sandbox, ScriptedSandbox):
        assert (await process.wait()).code == 137
        with pytest.raises(ToolError):
            await sandbox.start(Command("true"))


# ── those that run something ────────────────────────────────────────────────────────────────

CASES = [
    ("echo hello", 0, b"hello\n"),
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
    ("echo $#", 0, b"0\n"),
    ("env | grep -c BASH_ENV", 1, b"0\n"),
]


async def test_what_a_command_prints_and_how_it_ends(real: Sandbox):
    for line, code, stdout in CASES:
        ran = await run(real, line)
        assert (line, ran.code, ran.stdout) == (line, code, stdout)


async def test_commands_run_in_the_workspace(real: Sandbox, workspace: Path):
    ran = await run(real, "pwd; echo $HOME; mkdir deep; echo hi >deep/file")
    assert ran.stdout.decode().split() == [str(workspace)] * 2
    assert (workspace / "deep" / "file").read_text() == "hi\n"
    assert (await run(real, Command("cat file", "deep"))).stdout == b"hi\n"


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("mkdir -p a/b && cd a/b", "a/b"),
        ("mkdir a && cd a; exit 3", "a"),
        ("mkdir a && cd a; false", "a"),
        ("set -e; mkdir a; cd a; false; cd ..", "a"),
        ("mkdir a; (cd a)", "."),
        ("mkdir 'a b\u00e9'; cd 'a b\u00e9'", "a b\u00e9"),
        ("mkdir a; ln -s a link; cd link", "a"),
        ("cd /", None),
        ("cd /usr", None),
        ("cd ..", None),
        ("ln -s /usr out; cd out", None),
        ("exec true", None),
        ("kill -9 $$", None),
        ("mkdir a; cd a; rmdir ../a", None),
    ],
)
async def test_it_is_known_where_the_shell_was_at_its_end(
    real: Sandbox, line: str, folder: str | None
):
    assert (await run(real, line)).exit.folder == folder


async def test_a_folder_that_is_made_up_leads_nowhere_else(real: Sandbox, workspace: Path):
    ran = await run(real, "cd /; for f in /proc/self/fd/*; do echo /etc >$f; done 2>/dev/null")
    assert ran.exit.folder is None


async def test_what_cannot_be_started_is_a_tool_error(real: Sandbox):
    before = descriptors()
    for command in (Command("a\0b"), Command("x" * 3_000_000), Command("true", "no/such/folder")):
        with pytest.raises(ToolError, match="could not be started"):
            await real.start(command)
    assert descriptors() == before


async def test_output_waits_for_its_reader(real: Sandbox):
    process = await real.start(Command("yes | head -c 8000000; echo >flag"))
    assert (await process.next()) is not None
    await asyncio.sleep(0.2)
    assert (await run(real, "ls")).stdout == b""
    reader = Reader(process)
    await reader.rest()
    assert (await process.wait()).code == 0
    assert (await run(real, "ls")).stdout == b"flag\n"


async def test_output_of_both_streams_keeps_its_order_as_far_as_it_can_be_seen(real: Sandbox):
    line = "for i in 1 2 3; do echo a; sleep 0.05; echo b >&2; sleep 0.05; done"
    reader = Reader(await real.start(Command(line)))
    await reader.rest()
    assert reader.order == ["stdout", "stderr"] * 3


async def test_a_lot_of_input_arrives_whole(real: Sandbox):
    process = await real.start(Command("head -c 3000000 | wc -c", input=True))
    await process.write(b"x" * 3_000_000)
    await Reader(process).says(b"3000000\n")
    assert (await process.wait()).code == 0


async def test_who_writes_to_one_that_never_reads_is_told_at_its_end(real: Sandbox):
    process = await real.start(Command("echo on; sleep 1000", input=True))
    await Reader(process).says(b"on")
    writing = asyncio.create_task(process.write(b"x" * 3_000_000))
    await asyncio.sleep(0.01)
    assert not writing.done()
    await process.kill()
    with pytest.raises(ToolError, match="reads nothing"):
        await writing


# ── a screen ────────────────────────────────────────────────────────────────────────────────


async def test_a_screen_is_a_terminal_of_its_size(real: Sandbox):
    line = "test -t 1 && test -t 2 && echo tty >&2; stty size </dev/tty; exit 5"
    ran = await run(real, Command(line, screen=Screen(columns=77, rows=11)))
    assert (ran.code, ran.stdout, ran.stderr) == (5, b"tty\r\n11 77\r\n", b"")


async def test_without_input_a_screen_gives_nothing_to_read(real: Sandbox):
    ran = await run(real, Command("cat; echo end", screen=Screen()))
    assert ran.stdout == b"end\r\n"


async def test_keys_typed_at_a_screen_arrive_and_interrupt(real: Sandbox):
    line = (
        # Without noflsh a terminal may throw away what is printed right behind an interrupt.
        "stty -echo noflsh; read x; echo got $x; trap 'echo caught; exit 7' INT; echo go; "
        "while :; do sleep 0.05; done"
    )
    process = await real.start(Command(line, input=True, screen=Screen()))
    reader = Reader(process)
    await process.write(b"word\n")
    await reader.says(b"go\r\n")
    assert b"got word" in reader.printed["stdout"]
    await process.write(b"\x03")
    await reader.rest()
    assert b"caught" in reader.printed["stdout"]
    assert (await process.wait()).code == 7


async def test_a_shell_at_a_screen_has_jobs(real: Sandbox):
    process = await real.start(Command("bash --norc -i", input=True, screen=Screen()))
    reader = Reader(process)
    await process.write(b"jobs; echo $((6*7)); exit\n")
    await reader.says(b"42")
    await reader.rest()
    assert b"no job control" not in reader.printed["stdout"]
    assert (await process.wait()).code == 0


# ── the end of all ──────────────────────────────────────────────────────────────────────────

ESCAPES = {
    "child": "sleep {} &",
    "new session": "setsid sleep {} &",
    "no environment": "env -i setsid sleep {} &",
    "deaf": "nohup setsid sh -c 'trap \"\" TERM INT HUP; sleep {}; true' &",
    "grandchild": "(setsid setsid sleep {} &);",
    "silent": "setsid sleep {} >/dev/null 2>&1 </dev/null &",
}


async def test_killing_ends_all_that_the_command_started(real: Sandbox):
    for number, escape in enumerate(ESCAPES.values()):
        name = f"1000.{id(real)}{number}"
        process = await real.start(Command(f"{escape.format(name)} echo on; sleep {name}"))
        await Reader(process).says(b"on\n")
        while len(bearing(name)) < 2:
            await asyncio.sleep(0.001)
        await process.kill()
        assert bearing(name) == set()


async def test_whoever_is_cancelled_while_killing_still_waits_for_the_end(real: Sandbox):
    name = f"1000.{id(real)}"
    process = await real.start(Command(f"setsid sleep {name} & echo on; wait"))
    await Reader(process).says(b"on\n")
    killing = asyncio.create_task(process.kill())
    await asyncio.sleep(0)
    killing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await killing
    assert bearing(name) == set()


async def test_what_is_left_in_the_background_is_ended(real: Sandbox):
    name = f"1000.{id(real)}"
    ran = await run(real, f"sleep {name} & sleep {name} >/dev/null 2>&1 & echo on")
    assert ran.stdout == b"on\n"
    while bearing(name):
        await asyncio.sleep(0.001)


async def test_a_start_that_is_cancelled_leaves_nothing_behind(real: Sandbox):
    await run(real, Command("true", session="one"))
    before = descriptors()
    name = f"1000.{id(real)}"
    for steps in range(12):
        starting = asyncio.create_task(real.start(Command(f"sleep {name}", session="one")))
        for _ in range(steps):
            await asyncio.sleep(0)
        starting.cancel()
        with suppress(asyncio.CancelledError):
            await (await starting).kill()
    await real.leave("one")
    assert bearing(name) == set()
    await run(real, "true")
    assert descriptors() <= before


async def test_no_descriptor_and_no_zombie_is_left(real: Sandbox):
    await run(real, "true")
    before = descriptors()
    for command in (
        Command("exit 3"),
        Command("sleep 1000 & true"),
        Command("cat", screen=Screen()),
        Command("true", input=True),
    ):
        await run(real, command)
    assert descriptors() == before


async def test_leaving_a_session_ends_what_runs_in_it(real: Sandbox):
    mine = await real.start(Command(ENDLESS, session="mine"))
    other = await real.start(Command(ENDLESS, session="other"))
    await Reader(other).says(b"started")
    await real.leave("mine")
    assert (await mine.wait()).code == 137
    assert not asyncio.ensure_future(other.wait()).done()
    await other.kill()
    await real.leave("never heard of")


async def test_a_session_keeps_its_temporary_files(real: Sandbox):
    name = f"/tmp/of-{id(real)}"
    await run(real, Command(f"echo kept >{name}", session="one"))
    assert (await run(real, Command(f"cat {name}", session="one"))).stdout == b"kept\n"
    await run(real, Command(f"rm {name}", session="one"))


SERVER = """python3 -u -c '
import socket
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], end=".")
listening.accept()[0].send(b"hello")
'"""


async def test_commands_of_a_session_reach_each_other(real: Sandbox):
    serving = await real.start(Command(SERVER, session="one"))
    port = (await Reader(serving).says(b".")).rstrip(b".").decode()
    ran = await run(real, Command(f"cat </dev/tcp/127.0.0.1/{port}", session="one"))
    assert ran.stdout == b"hello"
    await serving.kill()


async def test_a_process_that_is_alive_is_alive(real: Sandbox):
    """The other tests rely on seeing the living."""
    name = f"1000.{id(real)}"
    process = await real.start(Command(f"echo on; exec sleep {name}"))
    await Reader(process).says(b"on")
    while not bearing(name):
        await asyncio.sleep(0.001)
    assert all(alive(pid) for pid in bearing(name))
    await process.kill()
