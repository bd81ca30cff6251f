import asyncio
import json
from pathlib import Path

import pytest

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.sandbox import Script
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Caller, Command, Screen, Stream, ToolOutput
from angelia.tools.live import LIVE_END, LIVE_LIMIT
from angelia.tools.transcript import KEPT
from tests.tools.watching import Watcher
from tests.tools.workshop import Workshop


def call(command: str, **more: object) -> str:
    return json.dumps({"command": command, **more})


async def run(script: Script, watcher: Watcher | None = None, **more: object) -> ToolOutput:
    return await Workshop({"it": script}).run("it", watcher, **more)


@pytest.mark.parametrize(
    ("script", "text", "outcome"),
    [
        (Script(((b"hello\n", "stdout"),)), "hello\n", "ok"),
        (Script(((b"no newline", "stdout"),)), "no newline", "ok"),
        (Script(()), "[no output]", "ok"),
        (Script((), code=3), "[exit code 3]", "error"),
        (Script(((b"oh\n", "stderr"),), code=1), "oh\n[exit code 1]", "error"),
        (Script(((b"oh", "stderr"),), code=1), "oh\n[exit code 1]", "error"),
        (Script(((b"\xff\xfe!", "stdout"),)), "\ufffd\ufffd!", "ok"),
        (Script(((b"cut \xe2\x82", "stdout"),)), "cut \ufffd", "ok"),
        (
            Script(((b"much", "stdout"),), code=137, limit="more than 1 GiB of memory"),
            "much\n[ended: more than 1 GiB of memory; exit code 137]",
            "error",
        ),
    ],
)
async def test_what_a_command_came_to(script: Script, text: str, outcome: str):
    assert await run(script) == ToolOutput(text, outcome, "memory")


async def test_streams_are_shown_apart_and_returned_in_order_of_arrival():
    watcher = Watcher()
    pieces: tuple[tuple[bytes, Stream], ...] = (
        (b"one \xe2", "stdout"),
        (b"two ", "stderr"),
        (b"\x82\xac three", "stdout"),
    )
    output = await run(Script(pieces), watcher)
    assert output.text == "one two € three"
    assert watcher.shown == [("one ", "stdout"), ("two ", "stderr"), ("€ three", "stdout")]


async def test_live_output_ends_with_one_marker():
    watcher = Watcher()
    euro = "€".encode() * 20_000
    output = await run(Script(((euro, "stdout"),) * 10), watcher)
    assert output.text == "€" * 200_000
    live = watcher.text()
    assert live.endswith(LIVE_END)
    assert live.count(LIVE_END) == 1
    assert "\ufffd" not in live
    assert LIVE_LIMIT - 3 < len(live.encode()) - len(LIVE_END.encode()) <= LIVE_LIMIT


async def test_of_too_much_output_head_and_tail_are_returned():
    script = Script(
        ((b"first\n", "stdout"), *((b"x" * 65536, "stdout"),) * 40, (b"last", "stdout"))
    )
    output = await run(script)
    assert output.text.startswith("first\n")
    assert output.text.endswith("last")
    assert f"[… {40 * 65536 + 10 - KEPT:,} bytes left out …]" in output.text


async def test_a_command_that_takes_too_long_is_stopped_and_its_output_kept():
    shop = Workshop({"it": Script(((b"so far", "stdout"),), hangs=True)})
    output = await shop.run("it", timeout=0.05)
    assert output == ToolOutput("so far\n[timed out after 0.05 s]", "timeout", "memory")
    assert shop.scripted.running == []


async def test_without_a_timeout_the_configured_one_holds():
    shop = Workshop({"it": Script(hangs=True)}, timeout=0.02)
    assert await shop.run("it") == ToolOutput("[timed out after 0.02 s]", "timeout", "memory")


class LosesPatience:
    level = "none"

    async def start(self, command: Command) -> None:
        raise TimeoutError("not ours")


async def test_a_timeout_that_is_not_its_own_is_not_called_one():
    with pytest.raises(TimeoutError, match="not ours"):
        await Workshop(sandbox=LosesPatience()).run("it")


async def test_a_cancelled_call_stays_cancelled():
    shop = Workshop({"it": Script(hangs=True)})
    task = asyncio.create_task(shop.run("it"))
    while not shop.scripted.running:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert shop.scripted.running == []


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (call("a\0b"), "NUL"),
        (call("a\0b", background=True), "NUL"),
        (call(""), "'command'"),
        (call("x", timeout=0), "'timeout'"),
        (call("x", timeout=601), "expected float <= 600.0 for 'timeout'"),
        (call("x", folder=""), "'folder'"),
        (call("x", folder="../other"), "leads out of the workspace"),
        (call("x", folder="/etc"), "leads out of the workspace"),
        (call("x", folder="nowhere"), "no 'nowhere'"),
        (call("x", folder="file"), "'file' is not a folder"),
    ],
)
async def test_impossible_calls_are_refused_before_anything_runs(arguments: str, fault: str):
    shop = Workshop(workspace=MemoryWorkspace({"file": b""}))
    with pytest.raises(ToolError, match=fault):
        await shop.terminal.call(arguments, Watcher())
    assert shop.scripted.commands == []


def test_label_is_the_first_line_and_there_is_no_lane():
    tool = Workshop().terminal
    assert tool.label(call("echo 'a b'\nrm x")) == "echo 'a b'"
    assert tool.lane(call("echo")) is None
    assert (tool.spec.effect, tool.emoji, tool.toolset) == ("irreversible", "💻", "terminal")
    assert "Stops after 120 s" in tool.spec.description


def test_a_policy_knows_the_command_and_whether_it_only_looks():
    tool = Workshop().terminal
    assert tool.touched(call("ls -la")) == Touched(command="ls -la", harmless=True)
    assert tool.touched(call("rm x", background=True)) == Touched(command="rm x")


# ── what the sandbox is told ────────────────────────────────────────────────────────────────


async def test_a_sandbox_is_told_whose_session_it_is_and_nobody_elses():
    shop = Workshop({"it": Script()})
    for caller in (Caller("k1", "s"), Caller("k2", "s"), Caller("k1", "t")):
        await shop.run("it", Watcher(caller))
    await shop.run("it", Watcher(Caller("k1"), run_id="run_9"))
    told = [command.session for command in shop.scripted.commands]
    assert told == ["k1/s", "k2/s", "k1/t", "k1/run_9"]


async def test_a_command_has_input_only_in_the_background_and_a_screen_only_on_request():
    shop = Workshop({"it": Script()})
    await shop.run("it")
    await shop.run("it", screen=True)
    await shop.begin("it")
    plainly, on_screen, behind = shop.scripted.commands
    assert (plainly.input, plainly.screen) == (False, None)
    assert (on_screen.input, on_screen.screen) == (False, Screen())
    assert (behind.input, behind.screen) == (True, None)
    await shop.background.close()


async def test_what_was_drawn_on_a_screen_is_read_as_text_and_shown_as_it_came():
    watcher = Watcher()
    drawn = b"\x1b[1;32mgreen\x1b[0m\r\n10%\r50%\r100%\r\n"
    output = await run(Script(((drawn, "stdout"),)), watcher, screen=True)
    assert output.text == "green\n100%\n"
    assert watcher.text() == drawn.decode()


# ── the folder of a session ─────────────────────────────────────────────────────────────────


SRC = MemoryWorkspace({"src/lib/a": b"", "docs/b": b"", "file": b""})
MOVES = {
    "cd src": Script(folder="src"),
    "cd lib": Script(folder="src/lib/"),
    "cd docs": Script(folder="docs"),
    "cd": Script(folder="."),
    "ls": Script(),
}


async def starts(shop: Workshop, *commands: str, caller: Caller | None = None) -> list[str]:
    """Where each of these began."""
    before = len(shop.scripted.commands)
    for command in commands:
        await shop.run(command, Watcher(caller) if caller else None)
    return [command.folder for command in shop.scripted.commands[before:]]


async def test_a_command_starts_where_the_last_one_of_its_session_went():
    shop = Workshop(MOVES, workspace=SRC)
    walk = await starts(shop, "ls", "cd src", "ls", "cd lib", "ls", "cd", "ls")
    assert walk == [".", ".", "src", "src", "src/lib", "src/lib", "."]


async def test_the_result_says_where_the_next_command_starts():
    shop = Workshop(MOVES, workspace=SRC)
    assert (await shop.run("ls")).text == "[no output]"
    assert (await shop.run("cd src")).text == "[no output]\n[folder: src]"
    assert (await shop.run("ls")).text == "[no output]\n[folder: src]"
    assert (await shop.run("cd")).text == "[no output]"


async def test_sessions_and_keys_keep_their_folders_apart():
    shop = Workshop(MOVES, workspace=SRC)
    await starts(shop, "cd src")
    assert await starts(shop, "ls", caller=Caller("key_1", "s2")) == ["."]
    assert await starts(shop, "ls", caller=Caller("key_2", "s1")) == ["."]


async def test_a_run_without_a_session_starts_in_the_workspace_itself():
    shop = Workshop(MOVES, workspace=SRC)
    assert await starts(shop, "cd src", "ls", caller=Caller("key_1")) == [".", "."]


async def test_a_folder_that_is_asked_for_holds_for_one_command():
    shop = Workshop({**MOVES, "stay": Script(folder="docs")}, workspace=SRC)
    await shop.run("cd src")
    output = await shop.run("stay", folder="./docs/")
    assert shop.scripted.commands[-1].folder == "docs"
    assert output.text == "[no output]\n[folder: src]"
    assert await starts(shop, "ls") == ["src"]


async def test_a_command_beside_one_that_moves_does_not_take_the_session_back():
    slow = Script(((b"working", "stdout"),), hangs=True, folder=".")
    shop = Workshop({**MOVES, "slow": slow}, workspace=SRC)
    task = asyncio.create_task(shop.run("slow"))
    while not shop.scripted.running:
        await asyncio.sleep(0)
    await shop.run("cd src")
    await shop.scripted.processes[0].kill()
    await task
    assert await starts(shop, "ls") == ["src"]


async def test_a_folder_that_is_gone_is_left_for_the_workspace_with_a_word():
    workspace = MemoryWorkspace({"src/a": b""})
    shop = Workshop(MOVES, workspace=workspace)
    await shop.run("cd src")
    workspace.files.clear()
    output = await shop.run("ls")
    note = "[the folder 'src' is gone; this ran in the workspace itself]"
    assert output.text == f"{note}\n[no output]"
    assert shop.scripted.commands[-1].folder == "."
    assert (await shop.run("ls")).text == "[no output]"


async def test_a_command_that_ran_out_of_time_moves_nobody():
    shop = Workshop({**MOVES, "slow": Script(hangs=True, folder="docs")}, workspace=SRC)
    await shop.run("slow", timeout=0.02)
    assert await starts(shop, "ls") == ["."]


async def test_a_folder_that_nobody_can_spell_is_not_kept():
    shop = Workshop({"cd x": Script(folder="x\udcff"), "ls": Script()})
    assert (await shop.run("cd x")).text == "[no output]"
    assert await starts(shop, "ls") == ["."]


# ── with real processes ─────────────────────────────────────────────────────────────────────


@pytest.fixture
def real(tmp_path: Path) -> Workshop:
    environ = {"PATH": "/usr/bin:/bin", "ANGELIA_API_KEY": "sk-very-secret", "AWS_SECRET": "aws!"}
    return Workshop(sandbox=PlainProcesses(tmp_path, environ), workspace=LocalWorkspace(tmp_path))


async def test_the_exit_code_and_the_output_of_a_real_command(real: Workshop):
    output = await real.run("echo out; echo err >&2; exit 7")
    assert output.outcome == "error"
    assert sorted(output.text.splitlines()) == ["[exit code 7]", "err", "out"]
    assert output.sandbox == real.sandbox.level


async def test_no_secret_of_the_server_is_in_any_output(real: Workshop):
    output = await real.run("env; cat /proc/self/environ; set")
    assert "PATH=" in output.text
    assert "sk-very" not in output.text
    assert "aws!" not in output.text
    child = await real.begin("env; echo done")
    await real.ask("wait", child.id)
    assert b"sk-very" not in child.output.since(0)[1]


async def test_a_command_starts_in_the_folder_that_it_was_told(real: Workshop, tmp_path: Path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    output = await real.run("pwd; sleep 0", folder=str(tmp_path / "deep" / "er"))
    assert output.text.splitlines()[0] == str(tmp_path.resolve() / "deep" / "er")


async def test_commands_run_side_by_side(real: Workshop, tmp_path: Path):
    """Each waits for the next one: were they to run one after another, none would end."""
    count = 8
    for number in range(count):
        assert (await real.run(f"mkfifo f{number}")).outcome == "ok"
    lines = [
        f"echo here > f{number} & read x < f{(number + 1) % count}; wait; echo $x"
        for number in range(count)
    ]
    outputs = await asyncio.gather(*(real.run(line, timeout=60) for line in lines))
    assert [output.text for output in outputs] == ["here\n"] * count
