"""The command as people use it: a process, what it prints and its exit code."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import json

from angelia.surfaces.cli.doctor.names import ClientName
from tests.support.process import clean_env
from tests.support.server import AngeliaServer

Ran = subprocess.CompletedProcess[str]


def doctor(*arguments: str, env: dict[str, str]) -> Ran:
    return subprocess.run(
        [sys.executable, "-m", "angelia", "doctor", *arguments],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def env_of(folder: Path, **extra: str) -> dict[str, str]:
    home = str(folder / ".angelia")
    return clean_env(folder, {"ANGELIA_HOME": home, "ANGELIA_PORT": "1", **extra})


@pytest.mark.parametrize("client", [ClientName.OPENWEBUI, ClientName.AI_SDK])
def test_without_a_server_the_sample_is_shown(client: ClientName, tmp_path: Path) -> None:
    ran = doctor("--client", client.value, env=env_of(tmp_path))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "the sample run" in ran.stdout
    assert "http://127.0.0.1:1/v1" in ran.stdout
    assert str(tmp_path / ".angelia" / "key") in ran.stdout
    assert "\x1b" not in ran.stdout
    assert not (tmp_path / ".angelia").exists()


def test_the_newest_run_of_a_server_is_shown(demo_server: AngeliaServer) -> None:
    asked = [sys.executable, "-m", "angelia", "run", "`echo for the doctor`"]
    subprocess.run(asked, env=demo_server.env, check=True, capture_output=True, timeout=60)
    ran = doctor("--client", "openwebui", env=demo_server.env)
    assert ran.returncode == 0, ran.stderr
    assert "echo for the doctor: running → ok" in ran.stdout
    assert demo_server.key not in ran.stdout


def test_a_run_of_a_home_without_a_server_is_shown(tmp_path: Path) -> None:
    env = env_of(tmp_path)
    asked = [sys.executable, "-m", "angelia", "run", "--json", "`echo kept`"]
    ran = subprocess.run(asked, env=env, check=True, capture_output=True, timeout=60)
    run_id = json.decode(ran.stdout.splitlines()[0])["run_id"]
    found = doctor("--client", "openai", "--run", run_id, "--json", env=env)
    assert found.returncode == 0, found.stderr
    told = json.decode(found.stdout)
    assert (told["run"], told["ok"]) == (run_id, True)
    titles = [p["title"] for p in told["seen"][0]["shown"]["pieces"] if p["type"] == "tool"]
    assert any("echo kept" in title for title in titles)


def test_a_form_that_a_client_cannot_bear_is_found(tmp_path: Path) -> None:
    home = tmp_path / ".angelia"
    home.mkdir()
    (home / "angelia.toml").write_text('[responses]\ntool_items = "pair"')
    ran = doctor("--client", "ai-sdk", env=env_of(tmp_path))
    assert ran.returncode == 1
    assert "an item does not fit the schema: function_call_output" in ran.stdout
    assert "AI SDK does not show what happened" in ran.stdout


def test_a_run_without_a_client_is_wrong_usage(tmp_path: Path) -> None:
    ran = doctor("--run", "run_1", env=env_of(tmp_path))
    assert ran.returncode == 2
    assert "--run needs --client" in ran.stderr


def test_a_run_that_does_not_exist_is_wrong_usage(demo_server: AngeliaServer) -> None:
    ran = doctor("--client", "openai", "--run", "run_nowhere", env=demo_server.env)
    assert ran.returncode == 2
    assert "has no run 'run_nowhere'" in ran.stderr


def test_a_machine_in_order_is_no_failure(tmp_path: Path) -> None:
    ran = doctor(env=env_of(tmp_path))
    assert ran.returncode == 0
    assert "All in order." in ran.stdout


def test_what_is_broken_is_a_failure_also_as_json(tmp_path: Path) -> None:
    ran = doctor("--json", env=env_of(tmp_path, ANGELIA_BASE_URL="http://127.0.0.1:1/v1"))
    assert ran.returncode == 1
    told = json.decode(ran.stdout)
    assert [check["part"] for check in told["checks"] if check["level"] == "broken"] == ["model"]
    fault = doctor(env=env_of(tmp_path, ANGELIA_APPROVALS="perhaps"))
    assert fault.returncode == 1
    assert "ANGELIA_APPROVALS" in fault.stdout
