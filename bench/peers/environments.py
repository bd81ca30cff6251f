"""An environment for each peer, made from its lock file; one that cannot be made says why."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.scenarios import PEERS

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "bench" / ".venvs"
LOCKS = {
    "openai-agents": "peer-agents",
    "pydantic-ai": "peer-pydantic",
    "langgraph": "peer-langgraph",
    "hermes": "peer-hermes",
    "litellm": "peer-litellm",
}
INSTALL_WITHIN = 900.0


def folder(name: str) -> Path:
    return FOLDER / name


def program(name: str, program: str = "python") -> Path:
    return folder(name) / "bin" / program


def absence(name: str) -> str:
    """Why a peer cannot be measured; empty when it can."""
    if _mark(name).exists():
        return ""
    if _reason(name).exists():
        return f"not installed: {_reason(name).read_text()}"
    return "not installed; make bench PEERS=1 does that"


def install(name: str, commands: Sequence[Sequence[str]]) -> None:
    """Leaves an environment behind, or the reason why there is none."""
    FOLDER.mkdir(exist_ok=True)
    try:
        for command in commands:
            _call(command)
    except subprocess.CalledProcessError as error:
        _give_up(name, error.output.decode(errors="replace"))
    except subprocess.TimeoutExpired:
        _give_up(name, f"not finished after {INSTALL_WITHIN:g} s")
    else:
        _mark(name).touch()
        _reason(name).unlink(missing_ok=True)


def commands(name: str) -> list[list[str]]:
    lock = ROOT / "requirements" / f"{LOCKS[name]}.txt"
    pip = [str(program(name)), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    return [
        [sys.executable, "-m", "venv", "--clear", str(folder(name))],
        [*pip, "--no-compile", "--no-deps", "-r", str(lock)],
    ]


def _call(command: Sequence[str]) -> None:
    subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=INSTALL_WITHIN,
        check=True,
    )


def _give_up(name: str, output: str) -> None:
    """With the last line that pip calls an error, or whatever came last."""
    lines = output.strip().splitlines() or ["no output"]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    shutil.rmtree(folder(name), ignore_errors=True)
    _reason(name).write_text(errors[-1][:300])


def _mark(name: str) -> Path:
    return folder(name) / ".installed"


def _reason(name: str) -> Path:
    return FOLDER / f"{name}.absent"


def main() -> None:
    for name in filter(absence, PEERS):
        print(f"Installing {name} into an environment of its own …")
        install(name, commands(name))
        if reason := absence(name):
            print(f"{name} is absent: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
