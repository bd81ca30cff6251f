"""The program as people use it: a process, its streams and its exit code."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from angelia import __version__
from tests.support.process import clean_env
from tests.support.server import AngeliaServer

HEAVY = {
    *("aiohttp", "asyncio", "msgspec", "pydantic", "rich", "sqlite3", "starlette"),
    *("uvicorn", "uvloop"),
}


def env_of(folder: Path, **extra: str) -> dict[str, str]:
    return clean_env(folder, {"ANGELIA_HOME": str(folder / ".angelia"), **extra})


def angelia(
    *arguments: str, env: dict[str, str], stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "angelia", *arguments],
        env=env,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    script = (
        "import sys, angelia.__main__\n"
        "sys.argv = ['angelia', '--help']\n"
        "try: angelia.__main__.main()\n"
        "finally: print(*sys.modules, file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=env_of(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "serve" in ran.stdout
    assert "angelia.surfaces.cli.app" in ran.stderr.split()
    assert HEAVY & set(ran.stderr.split()) == set()


@pytest.mark.parametrize("arguments", [["version"], ["--version"]])
def test_the_version_is_printed(tmp_path: Path, arguments: list[str]) -> None:
    ran = angelia(*arguments, env=env_of(tmp_path))
    assert (ran.returncode, ran.stdout) == (0, f"{__version__}\n")


# ── run ─────────────────────────────────────────────────────────────────────────────────────


def test_a_pipe_gets_the_answer_alone(tmp_path: Path) -> None:
    ran = angelia("run", "think and long 3", env=env_of(tmp_path))
    assert (ran.returncode, ran.stdout) == (0, "word1 word2 word3\n")
    assert ran.stderr == "The message asks for no tool, so I answer right away.\n"


def test_tools_are_shown_on_stderr(tmp_path: Path) -> None:
    ran = angelia("run", "Run `echo hello`.", env=env_of(tmp_path))
    assert ran.stderr.splitlines()[0] == "💻 echo hello …"
    assert ran.stderr.splitlines()[1].startswith("💻 echo hello → ok, ")
    assert "hello" in ran.stdout


@pytest.mark.parametrize("arguments", [["run"], ["run", "-"]])
def test_the_prompt_can_come_from_stdin(tmp_path: Path, arguments: list[str]) -> None:
    assert angelia(*arguments, env=env_of(tmp_path), stdin="long 2\n").stdout == "word1 word2\n"


def test_json_is_one_event_per_line_and_nothing_else(tmp_path: Path) -> None:
    ran = angelia("run", "--json", "Run `true`.", env=env_of(tmp_path))
    events = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["event"] == "run.completed"
    assert ran.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "env", "code", "words"),
    [
        (["long 2"], {}, 0, ""),
        (["hello"], {"ANGELIA_BASE_URL": "http://127.0.0.1:9/v1"}, 1, "failed: "),
        ([""], {}, 2, "the prompt is empty"),
        (["--max-steps", "0", "hello"], {}, 2, "--max-steps"),
        (["hello"], {"ANGELIA_PROTOCOL": "smoke"}, 2, "angelia: ANGELIA_PROTOCOL"),
        (["--max-steps", "1", "Run `true`."], {}, 4, "max_steps"),
        (["--timeout", "0.3", "sleep 60"], {}, 4, "max_seconds"),
    ],
)
def test_the_exit_code_says_how_it_ended(
    tmp_path: Path, arguments: list[str], env: dict[str, str], code: int, words: str
) -> None:
    ran = angelia("run", *arguments, env=env_of(tmp_path, **env))
    assert ran.returncode == code, ran.stderr
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr


def test_debug_tells_the_whole_story(tmp_path: Path) -> None:
    env = env_of(tmp_path, ANGELIA_PROTOCOL="smoke", ANGELIA_LOG="debug")
    assert "Traceback" in angelia("run", "hello", env=env).stderr


def start(*arguments: str, env: dict[str, str], **streams: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "angelia", *arguments], env=env, **streams)


def test_an_interrupt_stops_the_run_properly_first(tmp_path: Path) -> None:
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with start("run", "--json", "sleep 60", env=env_of(tmp_path), **streams) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if b'"tool.started"' in line:
                running.send_signal(signal.SIGINT)
            last = line
        assert running.wait(30) == 130
    assert msgspec.json.decode(last)["event"] == "run.cancelled"


def test_a_pipe_that_breaks_stops_the_run_quietly(tmp_path: Path) -> None:
    streams = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    with start(
        "run", "--json", "Run `sleep 1` and `sleep 60`.", env=env_of(tmp_path), **streams
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(30) == 128 + signal.SIGPIPE


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("yes", "true → ok"),
        ("no", "The user said no."),
        ("no, use staging", "The user said no: use staging"),
    ],
)
def test_a_person_at_a_terminal_is_asked_for_consent(tmp_path: Path, typed: str, seen: str) -> None:
    env = env_of(tmp_path, NO_COLOR="1")
    ask_before(tmp_path, "terminal")
    ours, theirs = os.openpty()
    streams = {"stdin": theirs, "stdout": subprocess.PIPE, "stderr": theirs}
    with start("run", "Run `true`.", env=env, **streams) as running:
        os.close(theirs)
        screen = b""
        while b"always: " not in screen:
            screen += os.read(ours, 1024)
        os.write(ours, f"{typed}\n".encode())
        assert running.wait(30) == 0
    screen = os.read(ours, 65536)
    os.close(ours)
    assert seen in screen.decode()


def test_where_nobody_can_be_asked_consent_is_denied(tmp_path: Path) -> None:
    ask_before(tmp_path, "terminal")
    ran = angelia("run", "Run `true`.", env=env_of(tmp_path))
    assert ran.returncode == 0
    assert "denied: there is no terminal to ask in" in ran.stderr
    assert "true → denied" in ran.stderr


def ask_before(folder: Path, tool: str) -> None:
    home = folder / ".angelia"
    home.mkdir()
    (home / "angelia.toml").write_text(f'[approvals]\nask = ["{tool}"]\n')


def test_a_home_that_a_server_works_in_is_reached_through_the_server(
    demo_server: AngeliaServer,
) -> None:
    ran = angelia("run", "--json", "--session", "through", "long 2", env=demo_server.env)
    assert ran.returncode == 0, ran.stderr
    events = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
    assert events[0]["session_id"] == "through"
    assert events[-1]["output"] == "word1 word2"


# ── serve ───────────────────────────────────────────────────────────────────────────────────


def test_a_server_greets_and_leaves_in_order(server: AngeliaServer) -> None:
    assert f"listens on {server.url}" in server.stdout
    assert server.key in server.stdout
    assert server.stop() == 0


def test_a_port_that_is_taken_is_named(demo_server: AngeliaServer, tmp_path: Path) -> None:
    ran = angelia("serve", "--port", str(demo_server.port), env=env_of(tmp_path))
    assert ran.returncode == 2
    assert f"127.0.0.1:{demo_server.port}" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_server_is_not_open_to_others_without_a_key(tmp_path: Path) -> None:
    ran = angelia("serve", "--host", "0.0.0.0", "--port", "0", env=env_of(tmp_path))
    assert ran.returncode == 2
    assert "ANGELIA_API_KEY" in ran.stderr


# ── upstream ────────────────────────────────────────────────────────────────────────────────


def test_a_script_that_cannot_be_read_is_wrong_usage(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('[{"txt": "typo"}]')
    ran = angelia("upstream", "--port", "0", "--script", str(script), env=env_of(tmp_path))
    assert ran.returncode == 2
    assert "txt" in ran.stderr
