"""Peers are told where the model is, and their absence has a reason."""

import subprocess
from pathlib import Path

import pytest

from bench.peers import environments, starting
from bench.scenarios import PEERS


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_is_told_where_the_model_is(name: str, tmp_path: Path) -> None:
    command = starting.command(name, "http://127.0.0.1:1/script/v1", tmp_path).on(4711)
    told = [*command.line, *command.settings.values()]
    told += [path.read_text() for path in tmp_path.iterdir()]
    assert any("http://127.0.0.1:1/script/v1" in text for text in told)
    assert any("4711" in text for text in told)


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_is_given_a_proxy_that_refuses(name: str, tmp_path: Path) -> None:
    settings = starting.command(name, "http://127.0.0.1:1/v1", tmp_path).settings
    assert settings["HTTPS_PROXY"].startswith("http://127.0.0.1:")


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_has_a_lock_file(name: str) -> None:
    lock = environments.ROOT / "requirements" / f"{environments.LOCKS[name]}.txt"
    assert "--hash=sha256:" in lock.read_text()


def test_an_installation_that_fails_leaves_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environments, "FOLDER", tmp_path)
    assert environments.absence("hermes") == "not installed; make bench PEERS=1 does that"
    environments.install("hermes", [["sh", "-c", "echo ERROR: no such version; echo bye; exit 1"]])
    assert environments.absence("hermes") == "not installed: ERROR: no such version"
    environments.install("hermes", [["mkdir", str(environments.folder("hermes"))]])
    assert environments.absence("hermes") == ""


def test_the_shell_tool_of_all_peers_runs_a_process() -> None:
    ran = subprocess.run(
        [
            "python3",
            "-c",
            "from bench.peers.command import run_command; print(run_command('echo $0'))",
        ],
        cwd=environments.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "bash"
