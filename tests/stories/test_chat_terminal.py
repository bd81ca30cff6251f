"""`angelia chat` as people have it: on a real terminal, narrow and wide, and without one."""

import re
import shlex
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import StartServer
from tests.support.process import ANGELIA
from tests.support.scripted import Scripted, scripted
from tests.support.server import AngeliaServer
from tests.support.tmux import Tmux, flat, in_tmux

PROMPT = "new session"
MARKDOWN = (
    "# Title\n\nSome **bold** words.\n\n```py\nx = 1\n```\n\n"
    "| a | b |\n|---|---|\n| c | d |\n\nThe end."
)
HOSTILE = "see \x1b]52;c;aGVsbG8=\x07 and \x1b[2J\x1b[H and \x07 and\rover \u202eabc &#27;[2J done."


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("chat"), ANGELIA_APPROVALS="ask") as stage:
        yield stage


@pytest.fixture(params=[40, 120])
def chat(stage: Scripted, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Tmux]:
    with in_tmux(tmp_path, "chat", env=stage.server.env, columns=request.param) as tmux:
        tmux.shows(PROMPT)
        yield tmux


def step(words: str, **fields: Any) -> dict[str, Any]:
    return {"when": words, **fields}


def command(line: str, **more: Any) -> dict[str, Any]:
    return {"name": "terminal", "arguments": {"command": line, **more}}


def piped(stdin: str, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "angelia", "chat", *arguments],
        env=env,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# ── the answer ──────────────────────────────────────────────────────────────────────────────


def test_markdown_streams_and_parallel_tools_have_a_line_each(stage: Scripted, chat: Tmux) -> None:
    calls = [command("echo first"), command("ls /nowhere"), command("echo third")]
    stage.play(
        step("go", reasoning="Let me see.", text="I look.", calls=calls),
        step("go", text=MARKDOWN, chunk="char"),
    )
    chat.type("go")
    chat.shows("The end.")
    text = flat(chat.screen())
    for line in ("✓ 💻 echo first", "✓ 💻 echo third", "✗ 💻 ls /nowhere", "💭 thought for"):
        assert text.count(line) == 1
    for words in ("I look.", "Title", "Some bold words.", "x = 1", "The end."):
        assert text.count(words) == 1
    assert "**" not in text
    chat.press("C-t")
    chat.shows("Let me see.")


def test_a_long_call_shows_what_it_prints_while_it_runs(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("build", calls=[command("seq 1 20; sleep 30")]), step("build", text="Built."))
    with in_tmux(tmp_path, "chat", "build", env=stage.server.env) as chat:
        chat.shows("│ 16 │ 17 │ 18 │ 19 │ 20")
        chat.press("C-c")
        chat.shows("stopped")


def test_nothing_that_a_model_writes_or_a_tool_prints_is_obeyed(
    stage: Scripted, chat: Tmux
) -> None:
    printing = command("printf 'out\\033[2J\\033]52;c;aGVsbG8=\\007\\n' && false || ls /nowhere")
    stage.play(step("evil", text=HOSTILE, chunk="char"))
    chat.type("evil")
    chat.shows("done.")
    text = flat(chat.screen())
    assert "see ␛]52;c;aGVsbG8=␇ and ␛[2J␛[H and ␇ andover \\u202eabc" in text
    assert "Angelia" in text
    stage.play(step("evil", calls=[printing]), step("evil", text="All over."))
    chat.type("evil")
    chat.shows("All over.")
    assert "Angelia" in chat.screen()
    assert "\x1b]52" not in chat.screen("-e")


def test_a_window_that_changes_its_size_goes_on(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("long", text="word " * 60 + "over.", pace=0.02))
    with in_tmux(tmp_path, "chat", "long", env=stage.server.env, columns=120) as chat:
        chat.shows("word word")
        chat.resize(40)
        chat.shows("over.")
        chat.shows("Angelia")


# ── the person ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "told", "done"),
    [
        ("y", "✓ terminal: allowed", True),
        ("s", "✓ terminal: allowed for this session", True),
        ("n", "✗ terminal: denied", False),
        ("use another name", "✗ terminal: denied (use another name)", False),
    ],
)
def test_a_call_waits_for_an_answer(
    stage: Scripted, chat: Tmux, answer: str, told: str, done: bool
) -> None:
    made = stage.server.home / "workspace" / "made"
    made.unlink(missing_ok=True)
    stage.play(step("ask", calls=[command("touch made")]), step("ask", text="Settled."))
    chat.type("ask")
    shown = flat(chat.shows("session and always cover: terminal touch"))
    assert "? terminal waits for approval touch made" in shown
    chat.type(answer)
    chat.shows("Settled.")
    assert told in flat(chat.screen())
    assert made.exists() == done


def test_several_calls_are_asked_about_one_after_another(stage: Scripted, chat: Tmux) -> None:
    names = ("one", "two", "three")
    made = [stage.server.home / "workspace" / name for name in names]
    for path in made:
        path.unlink(missing_ok=True)
    calls = [command(f"mkdir {name}") for name in names]
    stage.play(step("several", calls=calls), step("several", text="Settled."))
    chat.type("several")
    chat.shows("(2 more behind it)")
    chat.press("y")
    chat.shows("(1 more behind it)")
    chat.press("n")
    chat.shows("✗ terminal: denied")
    chat.hides("more behind it")
    chat.press("y")
    chat.shows("Settled.")
    assert [path.exists() for path in made].count(True) == 2
    for path in made:
        if path.exists():
            path.rmdir()


def test_always_is_kept_for_the_next_chat(stage: Scripted, tmp_path: Path) -> None:
    stage.play(
        *(
            step(
                "always",
                calls=[
                    command("chmod 755 ."),
                ],
            ),
            step("always", text="Set."),
        )
        * 2
    )
    with in_tmux(tmp_path, "chat", "always", env=stage.server.env) as chat:
        chat.shows("session and always cover: terminal chmod")
        chat.press("a")
        chat.shows("✓ terminal: allowed for always")
        chat.shows("Set.")
    granted = angelia("grants", env=stage.server.env)
    assert "terminal chmod" in granted
    with in_tmux(tmp_path, "chat", "always", env=stage.server.env) as chat:
        assert "waits for approval" not in flat(chat.shows("Set."))
    angelia("grants", "--revoke", granted.split()[0], env=stage.server.env)


def test_a_question_that_is_answered_elsewhere_goes_away(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("ask", calls=[command("touch other")]), step("ask", text="Settled."))
    with in_tmux(tmp_path, "chat", "ask", env=stage.server.env) as chat:
        chat.shows("allow terminal?")
        chat.type("half a message", "Left")
        listed = angelia("approve", env=stage.server.env).split()
        angelia("approve", listed[0], "--deny", env=stage.server.env)
        chat.shows("✗ terminal: denied elsewhere")
        chat.shows("Settled.")


def angelia(*arguments: str, env: dict[str, str]) -> str:
    command = [sys.executable, "-m", "angelia", *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


def test_ctrl_c_stops_the_turn_and_the_session_goes_on(stage: Scripted, chat: Tmux) -> None:
    stage.play(step("slow", text="slowly " * 300, pace=0.05), step("what", text="You said slow."))
    chat.type("slow")
    chat.shows("slowly slowly")
    chat.press("C-c")
    chat.shows("stopped")
    chat.type("what")
    chat.shows("You said slow.")
    assert "slow" in str(stage.asked[-1])
    chat.hides("working …")
    chat.press("C-c", "C-c")
    assert chat.end() == 0


def test_a_second_ctrl_c_leaves(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("slow", text="slowly " * 300, pace=0.05))
    with in_tmux(tmp_path, "chat", "slow", env=stage.server.env) as chat:
        chat.shows("slowly slowly")
        chat.press("C-c", "C-c")
        assert chat.end() == 130


def test_ctrl_z_goes_to_the_shell_and_fg_comes_back(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("hello", text="Welcome."))
    shell = ("bash", "--norc", "-i")
    with in_tmux(tmp_path, env=stage.server.env, program=shell) as chat:
        chat.type(shlex.join([*ANGELIA, "chat"]))
        chat.shows(PROMPT)
        chat.press("C-z")
        chat.shows("Stopped")
        chat.type("echo in the $((1 + 1))nd shell")
        chat.shows("in the 2nd shell")
        chat.type("fg")
        chat.shows(PROMPT)
        chat.type("hello")
        chat.shows("Welcome.")
    assert "hello" in str(stage.asked[-1])


def test_whoever_leaves_a_run_is_told_how_to_look_again(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("slow", text="slowly " * 300, pace=0.05))
    with in_tmux(tmp_path, "chat", "slow", env=stage.server.env) as chat:
        chat.shows("slowly slowly")
        chat.press("C-d")
        assert chat.end() == 0
        run_id = re.findall(r"angelia runs follow (run_\w+)", flat(chat.screen()))[0]
    angelia("runs", "stop", run_id, env=stage.server.env)


def test_what_was_said_to_a_run_is_not_said_again_in_a_new_session(
    stage: Scripted, tmp_path: Path
) -> None:
    stage.play(step("slow", text="slowly " * 300, pace=0.05), step("other", text="Another."))
    with in_tmux(tmp_path, "chat", "slow", env=stage.server.env) as chat:
        chat.shows("slowly slowly")
        chat.type("for the run")
        chat.shows("queued: for the run")
        chat.type("/new")
        chat.shows("as it is; look again with")
        chat.type("other")
        chat.shows("Another.")
        assert "for the run" not in flat(chat.screen())
        run_id = re.findall(r"angelia runs follow (run_\w+)", flat(chat.screen()))[0]
    assert len(stage.asked_about("for the run")) == 0
    angelia("runs", "stop", run_id, env=stage.server.env)


def test_what_is_typed_while_it_works_reaches_the_model(stage: Scripted, chat: Tmux) -> None:
    stage.play(
        step("begin", calls=[{"name": "read_file", "arguments": {"path": "a"}}], delay=2.0),
        step("hurry", text="I hurry."),
    )
    chat.type("begin")
    chat.shows("working …")
    chat.type("hurry up")
    chat.shows("queued: hurry up")
    chat.shows("I hurry.")
    text = flat(chat.screen())
    assert "› hurry up" in text
    assert "queued:" not in text


def test_a_paste_of_several_lines_is_one_message(stage: Scripted, chat: Tmux) -> None:
    stage.play(step("line two", text="Two lines."))
    chat.paste("line one\nline two")
    chat.shows("line two")
    chat.press("Enter")
    chat.shows("Two lines.")
    assert len(stage.asked) == 1
    assert "line one\\nline two" in msgspec.json.encode(stage.asked[-1]).decode()


def test_what_was_typed_is_kept_for_its_owner_alone(stage: Scripted, chat: Tmux) -> None:
    stage.play(step("remember", text="Kept."), step("remember", text="Again."))
    chat.type("remember this")
    chat.shows("Kept.")
    path = stage.server.home / "chat_history"
    assert "+remember this" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    chat.press("Up", "Enter")
    chat.shows("Again.")
    chat.press("C-d")
    assert chat.end() == 0


def test_a_search_shows_what_it_finds_and_ctrl_c_ends_it(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("needle", text="Found."), step("other", text="Other."))
    with in_tmux(tmp_path, "chat", env=stage.server.env) as chat:
        chat.shows(PROMPT)
        chat.type("a needle in hay")
        chat.shows("Found.")
        chat.type("other")
        chat.shows("Other.")
        chat.press("C-r")
        chat.type("needle", "Left")
        chat.shows("› a needle in hay search: needle")
        chat.press("C-c")
        chat.hides("search: needle")
        assert "Ctrl-C again leaves" not in flat(chat.screen())


# ── the server ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("columns", [40, 120])
def test_a_server_that_is_killed_in_mid_answer_is_waited_for(tmp_path: Path, columns: int) -> None:
    words = [f"word{number}" for number in range(60)]
    text = "First paragraph.\n\n" + " ".join(words) + "\n\nThe end."
    with scripted(tmp_path / "stage") as stage:
        stage.play(step("tell", text=text, pace=0.03, repeat=True))
        with in_tmux(tmp_path, "chat", "tell", env=stage.server.env, columns=columns) as chat:
            chat.shows("word5")
            stage.server.kill()
            chat.shows("reconnecting")
            stage.server.start()
            chat.shows("The end.")
            chat.hides("reconnecting")
            shown = flat(chat.screen())
            assert shown.count("First paragraph.") == 1
            for word in words:
                assert shown.split().count(word) == 1
            assert shown.count("The end.") == 1


def test_a_key_that_is_revoked_in_mid_answer_is_told_of(tmp_path: Path) -> None:
    with scripted(tmp_path / "stage") as stage:
        stage.play(step("slow", text="slowly " * 300, pace=0.05))
        made = ("keys", "make", "--name", "other", "--scopes", "admin")
        other = angelia(*made, env=stage.server.env).strip()
        revoking = urllib.request.Request(
            f"{stage.server.url}/api/keys/key_first",
            headers={"Authorization": f"Bearer {other}"},
            method="DELETE",
        )
        with in_tmux(tmp_path, "chat", "slow", env=stage.server.env) as chat:
            chat.shows("slowly slowly")
            urllib.request.urlopen(revoking, timeout=10).close()
            chat.shows("does not take the key of this home folder: it is revoked")
            chat.type("/sessions")
            chat.shows("/sessions The server at")
            chat.press("C-d")
            assert chat.end() == 0


def test_without_a_server_the_chat_is_one(tmp_path: Path) -> None:
    alone = AngeliaServer(tmp_path)
    with in_tmux(tmp_path, "chat", "long 5", env=alone.env) as chat:
        shown = chat.shows("word1 word2 word3 word4 word5")
        assert f"its server runs in this chat, at http://127.0.0.1:{alone.port}" in flat(shown)
        chat.type("/quit")
        assert chat.end() == 0
    with in_tmux(tmp_path, "chat", "--continue", env=alone.env) as chat:
        chat.shows("› long 5")
        chat.shows("word1 word2 word3 word4 word5")


def test_a_second_command_finds_the_server_of_a_chat_on_another_port(tmp_path: Path) -> None:
    alone = AngeliaServer(tmp_path)
    taken = socket.create_server(("127.0.0.1", alone.port))
    with taken, in_tmux(tmp_path, "chat", "long 5", env=alone.env) as chat:
        shown = flat(chat.shows("word1 word2 word3 word4 word5"))
        assert f":{alone.port}" not in shown
        assert "long 5" in angelia("runs", "list", env=alone.env)
        with in_tmux(tmp_path, "chat", "--continue", env=alone.env) as second:
            second.shows("word1 word2 word3 word4 word5")


def test_no_color_has_no_colours(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("go", text=MARKDOWN))
    env = {**stage.server.env, "NO_COLOR": "1"}
    with in_tmux(tmp_path, "chat", "go", env=env) as chat:
        chat.shows("The end.")
        coloured = chat.screen("-e")
    assert not any(f"\x1b[{code}m" in coloured for code in (31, 32, 33, 34, 35, 36, 90, 94))


def test_what_nobody_has_heard_is_in_the_prompt_again(tmp_path: Path) -> None:
    with scripted(tmp_path / "stage") as stage:
        stage.play(step("tell", text="word " * 300, pace=0.05))
        with in_tmux(tmp_path, "chat", "tell", env=stage.server.env) as chat:
            chat.shows("word word")
            stage.server.kill()
            chat.shows("reconnecting")
            chat.type("are you there")
            chat.shows("queued: are you there")
            chat.press("C-c")
            chat.shows("as it is; look again with")
            chat.hides("reconnecting")
            chat.shows("› are you there")


# ── without a terminal ──────────────────────────────────────────────────────────────────────


def test_a_dumb_terminal_gets_lines(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("go", calls=[command("touch dumb")]), step("go", text="Done **so**."))
    env = {**stage.server.env, "TERM": "dumb"}
    with in_tmux(tmp_path, "chat", env=env) as chat:
        chat.shows(">")
        chat.type("go")
        chat.shows("allow it? yes, no, session, always:")
        chat.type("no")
        chat.shows("Done **so**.")
        chat.press("C-d")
        assert chat.end() == 0


def test_on_a_dumb_terminal_ctrl_c_stops_the_turn_alone(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("slow", text="slowly " * 300, pace=0.05), step("what", text="You said slow."))
    env = {**stage.server.env, "TERM": "dumb"}
    with in_tmux(tmp_path, "chat", env=env) as chat:
        chat.shows(">")
        chat.type("slow")
        chat.shows("slowly slowly")
        chat.press("C-c")
        chat.shows("cancelled")
        chat.type("what")
        chat.shows("You said slow.")
        chat.press("C-d")
        assert chat.end() == 130


def test_in_a_pipe_every_line_is_a_turn_of_one_session(stage: Scripted) -> None:
    stage.play(step("one", text="First \x1b[2J."), step("two", text="Second."))
    ran = piped("say one\n\nsay two\n", env=stage.server.env)
    assert (ran.returncode, ran.stdout) == (0, "First \x1b[2J.\nSecond.\n")
    assert "say one" in str(stage.asked[-1])


def test_a_path_at_the_beginning_is_no_command(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("/etc/motd", text="A path."), step("/etc/motd", text="A path again."))
    ran = piped("/etc/motd is empty\n", env=stage.server.env)
    assert (ran.returncode, ran.stdout) == (0, "A path.\n")
    with in_tmux(tmp_path, "chat", env=stage.server.env) as chat:
        chat.shows(PROMPT)
        chat.type("/etc/motd is empty")
        chat.shows("A path again.")


def test_in_a_pipe_a_turn_that_fails_is_the_exit_code(start_server: StartServer) -> None:
    server = start_server(ANGELIA_BASE_URL="http://127.0.0.1:9/v1", ANGELIA_MODEL="gone")
    (server.home / "angelia.toml").write_text("[model]\nretries = 0\n")
    server.restart()
    ran = piped("hello\n", env=server.env)
    assert ran.returncode == 1
    assert "failed:" in ran.stderr


def test_alone_in_a_pipe_nobody_can_be_asked(tmp_path: Path) -> None:
    alone = AngeliaServer(tmp_path, {"ANGELIA_APPROVALS": "ask"})
    ran = piped("", "`touch x`", env=alone.env)
    assert "denied: there is no terminal to ask in" in ran.stderr


# ── again ───────────────────────────────────────────────────────────────────────────────────


def test_who_watches_is_told_how_to_answer_as_long_as_somebody_can(
    stage: Scripted, tmp_path: Path
) -> None:
    stage.play(step("ask", calls=[command("touch it")]), step("ask", text="Settled."))
    with in_tmux(tmp_path, "chat", "ask", env=stage.server.env) as chat:
        chat.shows("allow terminal?")
        run_id = angelia("approve", env=stage.server.env).split()[0]
        with in_tmux(tmp_path, "replay", run_id, env=stage.server.env) as watching:
            watching.shows(f"angelia approve {run_id} --code")
        chat.press("n")
        chat.shows("Settled.")
    with in_tmux(tmp_path, "replay", run_id, "--speed", "0", env=stage.server.env) as again:
        assert again.end() == 0
        shown = flat(again.screen())
        assert "? terminal waits for approval" in shown
        assert "angelia approve" not in shown


def test_a_run_is_shown_again(stage: Scripted, tmp_path: Path) -> None:
    stage.play(step("go", text="Look.", calls=[command("ls /")]), step("go", text=MARKDOWN))
    piped("go\n", env=stage.server.env)
    listing = subprocess.run(
        [
            "curl",
            "-s",
            "-H",
            f"Authorization: Bearer {stage.server.key}",
            f"{stage.server.url}/v1/runs?limit=1",
        ],
        capture_output=True,
        check=True,
    )
    run_id = msgspec.json.decode(listing.stdout)["data"][0]["run_id"]
    with in_tmux(tmp_path, "replay", run_id, "--speed", "8", env=stage.server.env) as again:
        assert again.end() == 0
        shown = flat(again.screen())
        assert shown.count("✓ 💻 ls /") == 1
        assert "Some bold words." in shown
    lines = angelia("replay", run_id, "--speed", "0", env=stage.server.env)
    assert "Some **bold** words." in lines
