"""`angelia jobs` as a process, beside a real server and without one."""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.process import clean_env, free_port
from tests.support.server import AngeliaServer


def jobs(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "angelia", "jobs", *arguments],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_job_from_its_making_to_its_removal(server: AngeliaServer) -> None:
    env = dict(server.env)
    made = jobs(env, "add", "every day at 9:00", "long 3", "--name", "words", "--times", "2")
    assert made.returncode == 0, made.stderr
    job_id, state, *_ = made.stdout.split()
    assert (state, made.stdout.count("T09:00:00+00:00")) == ("active", 2)
    assert f"{job_id}  active  every day at 9:00 (UTC)  words" in jobs(env, "list").stdout
    assert "paused" in jobs(env, "pause", job_id).stdout
    assert "active" in jobs(env, "resume", job_id).stdout
    run_id = jobs(env, "run", job_id).stdout.split()[1]
    assert run_id in jobs(env, "show", job_id).stdout
    assert json.loads(jobs(env, "show", job_id, "--json").stdout)["id"] == job_id
    assert json.loads(jobs(env, "list", "--json").stdout)["object"] == "list"
    assert jobs(env, "remove", job_id).stdout == f"removed {job_id}\n"
    assert jobs(env, "list").stdout == "There are no jobs.\n"


def test_what_is_wrong_is_one_line(server: AngeliaServer) -> None:
    env = dict(server.env)
    wrong = jobs(env, "add", "soon", "x")
    assert wrong.returncode == 2
    assert "Examples: 'every 2h'" in wrong.stderr
    assert wrong.stderr.count("\n") == 1
    assert "There is no job 'a?b'" in jobs(env, "show", "a?b").stderr


def test_without_a_server_it_says_how_to_start_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "key").write_text("ang-0123456789abcdef")
    env = clean_env(tmp_path, {"ANGELIA_HOME": str(home), "ANGELIA_PORT": str(free_port())})
    asked = jobs(env, "list")
    assert asked.returncode == 1
    assert "angelia serve" in asked.stderr
