"""Completion as real shells have it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.server import AngeliaServer
from tests.support.tmux import in_tmux
from tests.surfaces.cli.test_app import angelia, env_of

# What a shell that evaluates it runs, and what looks like a tag to typer.
HOSTILE = '[/b] [red] \\$(touch pwned) \\`touch pwned` "it\'s" 50% a:b'


def with_angelia(env: dict[str, str]) -> dict[str, str]:
    return {**env, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


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
    ran = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=with_angelia(env),
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
    for line in ("replay", "undo", "approve", "sessions fork voyage --run"):
        assert completed(server.env, f"angelia {line} run_") == [run_id]
    for line in ("chat --session", "run --session"):
        assert completed(server.env, f"angelia {line} voy") == ["voyage"]


def test_an_id_that_a_shell_would_run_is_not_offered(server: AngeliaServer) -> None:
    for session in ("voyage", "v$(touch${IFS}pwned)", "v*", "v;id", "v`id`"):
        angelia("run", "--session", session, "long 2", env=server.env)
    assert completed(server.env, "angelia sessions show v") == ["voyage"]


def test_without_a_server_ids_are_not_offered_and_nothing_is_said(tmp_path: Path) -> None:
    assert completed(env_of(tmp_path), "angelia sessions show voy") == []


def two_sessions(server: AngeliaServer) -> None:
    angelia("run", "--session", "voyage", "long 2", env=server.env)
    angelia("sessions", "fork", "voyage", "--title", HOSTILE, env=server.env)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
@pytest.mark.parametrize(
    "load",
    [
        'compinit -uD; eval "$(angelia completion zsh)"',
        "angelia completion zsh > _angelia; fpath=($PWD $fpath); compinit -uD",
    ],
)
def test_zsh_shows_titles_and_evaluates_nothing_of_them(
    server: AngeliaServer, tmp_path: Path, load: str
) -> None:
    two_sessions(server)
    (tmp_path / "only-file").touch()
    env = {**with_angelia(server.env), "HOME": str(tmp_path)}
    with in_tmux(tmp_path, env=env, program=["zsh", "-f"], columns=160) as shell:
        shell.type(f"cd {tmp_path}; autoload -Uz compinit; {load}; PS1='> '; clear")
        for typed, shown in (
            ("angelia sess", "> angelia sessions"),
            ("angelia sessions show voy", "> angelia sessions show voyage"),
            ("angelia sessions show ", f"-- {HOSTILE}"),
            ("angelia serve --home onl", "> angelia serve --home only-file"),
        ):
            # Keys that come all at once are a paste to zsh, which completes nothing.
            shell.press("C-u")
            shell.type(typed, "C-e")
            shell.shows(f"> {typed.strip()}")
            shell.press("Tab")
            shell.shows(shown)
    assert not (tmp_path / "pwned").exists()


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_shows_titles_and_evaluates_nothing_of_them(
    server: AngeliaServer, tmp_path: Path
) -> None:
    two_sessions(server)
    (tmp_path / "only-file").touch()
    lines = ("sess", "sessions show ", "keys show ", "serve --home onl")
    asked = "; ".join(f"complete -C 'angelia {line}'" for line in lines)
    ran = subprocess.run(
        ["fish", "--no-config", "-c", f"angelia completion fish | source; {asked}"],
        env={**with_angelia(server.env), "HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stderr == ""
    names = [line.split("\t")[0] for line in ran.stdout.splitlines()]
    assert {"sessions", "voyage", "key_first", "only-file"} <= set(names)
    assert f"\t{HOSTILE}\n" in ran.stdout
    assert not (tmp_path / "pwned").exists()
