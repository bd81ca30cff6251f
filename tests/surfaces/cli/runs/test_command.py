"""`angelia runs`, with a server in the home folder and without."""

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.test_app import angelia, env_of


@pytest.fixture(params=["alone", "served"])
def env(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Of a home folder, in which a server works or not."""
    if request.param == "alone":
        return env_of(tmp_path)
    return request.getfixturevalue("server").env


def told(env: dict[str, str], *arguments: str) -> str:
    ran = angelia(*arguments, env=env)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_runs_are_listed_shown_followed_stopped_and_exported(
    env: dict[str, str], tmp_path: Path
) -> None:
    assert told(env, "runs", "list") == "There are no such runs.\n"
    assert angelia("runs", "show", env=env).returncode == 2
    told(env, "run", "--session", "s", "Run `echo hello`.")
    told(env, "run", "long 2")
    newest, first = json.loads(told(env, "runs", "list", "--json"))
    run_id = first["run_id"]
    assert told(env, "runs", "list", "--session", "s").startswith(f"{run_id}  completed  angelia")
    assert told(env, "runs", "list", "--limit", "1").split()[0] == newest["run_id"]
    assert newest["run_id"] in told(env, "runs", "show")
    assert "echo hello → ok" in told(env, "runs", "show", run_id)
    shown = json.loads(told(env, "runs", "show", run_id, "--json"))
    assert [moment["outcome"] for moment in shown["timeline"]] == ["ok"]
    assert told(env, "runs", "follow") == "word1 word2\n"
    assert told(env, "runs", "stop", run_id) == f"{run_id} is completed\n"
    events = told(env, "runs", "export", run_id).splitlines()
    assert json.loads(events[-1])["event"] == "run.completed"
    file = tmp_path / "out.sse"
    told(env, "runs", "export", run_id, "--as", "chat", "-o", str(file))
    assert file.read_text().endswith("data: [DONE]\n\n")
    again = angelia("runs", "export", run_id, "-o", str(file), env=env)
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
