"""`angelia setup` as people use it: at a terminal, in a pipe, with nobody to ask."""

import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from tests.conftest import StartUpstream
from tests.support.process import clean_env, free_port
from tests.support.server import UpstreamProcess
from tests.support.terminal import at_terminal

KEY = "sk-typed-and-never-shown-0123456789"


def env_of(folder: Path, **extra: str) -> dict[str, str]:
    return clean_env(folder, {"ANGELIA_HOME": str(folder / "home"), **extra})


def setup(
    *arguments: str, env: dict[str, str], stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "angelia", "setup", *arguments],
        env=env,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def file_of(folder: Path) -> Path:
    return folder / "home" / "angelia.toml"


def written(folder: Path) -> dict[str, object]:
    return tomllib.loads(file_of(folder).read_text())


def test_a_server_of_this_machine_is_found_tried_and_written(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    port = upstream_server.port
    ran = setup("--yes", "--local-ports", str(port), env=env_of(tmp_path))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "✓ scripted answers" in ran.stdout
    assert "Next: angelia models" in ran.stdout
    assert written(tmp_path) == {
        "providers": {f"local-{port}": {"base_url": f"http://127.0.0.1:{port}/v1"}},
        "models": {"scripted": {"provider": f"local-{port}"}},
        "agent": {"model": "scripted"},
    }


def test_what_was_written_is_what_the_program_then_uses(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    env = env_of(tmp_path)
    setup("--yes", "--local-ports", str(upstream_server.port), env=env)
    ran = subprocess.run(
        [sys.executable, "-m", "angelia", "run", "long 3"],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "word1 word2 word3\n"


def test_a_person_is_asked_and_the_key_is_not_shown(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    with at_terminal("setup", "--local-ports", "", env=env_of(tmp_path)) as terminal:
        terminal.answer("Number [1]:", "9")
        terminal.answer("Number [1]:", "4")
        terminal.answer("Address", upstream_server.url)
        terminal.answer("Key, or nothing", KEY)
        terminal.answer("Model, by number or name [scripted]:", "1")
        terminal.answer("[Y/n]:", "")
        assert terminal.end() == 0
    assert KEY not in terminal.shown
    assert "A number from 1 to 4, please." in terminal.shown
    assert written(tmp_path)["providers"] == {
        "local": {"base_url": upstream_server.url, "keys": [KEY]}
    }
    assert file_of(tmp_path).stat().st_mode & 0o777 == 0o600


def test_a_pipe_may_answer(tmp_path: Path, upstream_server: UpstreamProcess) -> None:
    port = str(upstream_server.port)
    ran = setup("--local-ports", port, env=env_of(tmp_path), stdin="1\n\nno\n")
    assert ran.returncode == 1
    assert "Nothing was written." in ran.stdout
    assert not file_of(tmp_path).exists()
    ran = setup("--local-ports", port, env=env_of(tmp_path), stdin="1\n")
    assert ran.returncode == 2
    assert "Nobody answers; give the answers as options" in ran.stderr


def test_a_key_may_come_through_a_pipe(tmp_path: Path, upstream_server: UpstreamProcess) -> None:
    ran = setup(
        *("--yes", "--provider", "mine", "--base-url", upstream_server.url, "--key"),
        env=env_of(tmp_path),
        stdin=f"{KEY}\n",
    )
    assert ran.returncode == 0, ran.stderr
    assert KEY not in ran.stdout + ran.stderr
    assert written(tmp_path)["providers"] == {
        "mine": {"base_url": upstream_server.url, "keys": [KEY]}
    }


def test_the_name_of_a_variable_is_written_and_not_what_it_holds(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    wishes = ("--yes", "--base-url", upstream_server.url, "--key-env", "MINE")
    ran = setup(*wishes, env=env_of(tmp_path, MINE=KEY))
    assert ran.returncode == 0, ran.stderr
    assert KEY not in ran.stdout + file_of(tmp_path).read_text()
    assert 'key_envs = ["MINE"]' in file_of(tmp_path).read_text()
    ran = setup(*wishes, env=env_of(tmp_path / "unset"))
    assert (ran.returncode, "key_envs names MINE, which is not set" in ran.stderr) == (2, True)


def refusing(folder: Path) -> Path:
    """The script of a provider that takes no key at first."""
    fault = {"status": 401, "body": {"error": {"message": "That key is wrong."}}, "times": 1}
    script = folder / "script.json"
    script.write_bytes(msgspec.json.encode([{"fault": fault, "text": "ok"}]))
    return script


def test_a_model_that_does_not_answer_is_not_written(
    tmp_path: Path, start_upstream: StartUpstream
) -> None:
    upstream = start_upstream(refusing(tmp_path))
    wishes = ("--yes", "--base-url", upstream.url)
    ran = setup(*wishes, env=env_of(tmp_path))
    assert ran.returncode == 1
    assert "✗ That key is wrong." in ran.stdout
    assert not file_of(tmp_path).exists()


def test_a_person_may_try_a_model_again(tmp_path: Path, start_upstream: StartUpstream) -> None:
    upstream = start_upstream(refusing(tmp_path))
    wishes = ("setup", "--local-ports", str(upstream.port))
    with at_terminal(*wishes, env=env_of(tmp_path)) as terminal:
        terminal.answer("Number [1]:", "")
        terminal.answer("Model", "")
        terminal.answer("Number [1]:", "1")
        terminal.answer("[Y/n]:", "y")
        assert terminal.end() == 0
    assert "That key is wrong." in terminal.shown
    assert "✓ scripted answers" in terminal.shown


def test_nothing_to_take_is_wrong_usage(tmp_path: Path) -> None:
    ran = setup("--yes", "--local-ports", str(free_port()), env=env_of(tmp_path))
    assert ran.returncode == 2
    assert "No model server was found on this machine" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--key", "--key-env", "A"), "--key and --key-env exclude each other"),
        (("--provider", "openai"), "OpenAI needs a key; give --key-env or --key."),
        (("--base-url", "nonsense"), "expected an address such as"),
        (("--base-url", "http://127.0.0.1:1", "--protocol", "grpc"), "There is no protocol 'grpc'"),
        (("--base-url", "http://127.0.0.1:1"), "There is no answer to 'Model'; give --model."),
        (("--local-ports", "x"), "--local-ports takes numbers"),
    ],
)
def test_what_is_wrong_or_missing_is_named(tmp_path: Path, arguments, message: str) -> None:
    ran = setup("--yes", *arguments, env=env_of(tmp_path))
    assert ran.returncode == 2
    assert message in " ".join(ran.stderr.split())


def test_without_a_test_nobody_is_asked(tmp_path: Path) -> None:
    wishes = ("--yes", "--no-test", "--provider", "openai", "--model", "m")
    ran = setup(*wishes, env=env_of(tmp_path, OPENAI_API_KEY=KEY, ANGELIA_MODEL="demo"))
    assert ran.returncode == 0, ran.stderr
    assert "ANGELIA_MODEL is set and goes before the file" in ran.stdout
    assert written(tmp_path)["providers"] == {"openai": {"key_envs": ["OPENAI_API_KEY"]}}


# ── a file that is there ────────────────────────────────────────────────────────────────────


def test_a_file_that_is_there_is_added_to_and_kept(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    file_of(tmp_path).parent.mkdir()
    file_of(tmp_path).write_text("# mine\n[server]\nport = 7\n")
    wishes = ("--yes", "--local-ports", str(upstream_server.port))
    ran = setup(*wishes, env=env_of(tmp_path))
    assert "angelia.toml.bak1" in ran.stdout
    assert file_of(tmp_path).read_text().startswith("# mine\n[server]\nport = 7\n")
    assert written(tmp_path)["agent"] == {"model": "scripted"}
    assert "says so already" in setup(*wishes, env=env_of(tmp_path)).stdout
    assert len(list(file_of(tmp_path).parent.iterdir())) == 2


def test_a_broken_file_is_replaced_only_on_demand(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    file_of(tmp_path).parent.mkdir()
    file_of(tmp_path).write_text("[servr]")
    wishes = ("--yes", "--local-ports", str(upstream_server.port))
    ran = setup(*wishes, env=env_of(tmp_path))
    assert (ran.returncode, file_of(tmp_path).read_text()) == (2, "[servr]")
    assert "did you mean 'server'" in ran.stderr
    assert setup(*wishes, "--force", env=env_of(tmp_path)).returncode == 0
    assert "servr" not in file_of(tmp_path).read_text()
    assert (file_of(tmp_path).parent / "angelia.toml.bak1").read_text() == "[servr]"
