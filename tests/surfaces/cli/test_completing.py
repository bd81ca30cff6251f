"""Completion as a real bash has it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.server import AngeliaServer
from tests.surfaces.cli.test_app import angelia, env_of


def completed(env: dict[str, str], line: str) -> list[str]:
    """What bash offers behind the line, with the script as it is printed."""
    nothing = ' ""' if line.endswith(" ") else ""
    script = (
        'eval "$(angelia completion bash)"\n'
        f"COMP_WORDS=({line.rstrip()}{nothing})\n"
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
        "_angelia_completion angelia\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**env, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout.split()


def test_bash_completes_commands_options_and_ids(server: AngeliaServer) -> None:
    angelia("run", "--session", "voyage", "long 2", env=server.env)
    assert completed(server.env, "angelia sess") == ["sessions"]
    assert completed(server.env, "angelia runs li") == ["list"]
    assert completed(server.env, "angelia runs list --sta") == ["--status"]
    assert completed(server.env, "angelia sessions show voy") == ["voyage"]
    (run_id,) = completed(server.env, "angelia runs show run_")
    assert run_id.startswith("run_")
    assert "key_first" in completed(server.env, "angelia keys show ")


def test_without_a_server_ids_are_not_offered_and_nothing_is_said(tmp_path: Path) -> None:
    assert completed(env_of(tmp_path), "angelia sessions show voy") == []
