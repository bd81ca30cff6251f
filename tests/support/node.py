"""Node for the tests of JavaScript software: the system's if it is new enough, else the wheel's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 22
CLIENTS = Path(__file__).parent.parent / "clients"


def search_path() -> str:
    """A PATH on which `node` and `npm` are found, new enough."""
    system = os.environ.get("PATH", os.defpath)
    if shutil.which("npm") and _major(shutil.which("node")) >= OLDEST:
        return system
    return f"{Path(sys.executable).parent}{os.pathsep}{system}"


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": search_path()}


def command(folder: Path = CLIENTS) -> tuple[str, str]:
    """Node, with the packages of the folder's lock file in place, or what is missing."""
    found = shutil.which("node", path=search_path())
    if found is None:
        return "", "node is missing"
    if not (folder / "node_modules").is_dir():
        return "", f"{folder / 'node_modules'} is missing, which make test makes"
    return found, ""


def _major(node: str | None) -> int:
    if node is None:
        return 0
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    major = answer.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdigit() else 0


def npm(folder: Path, *arguments: str) -> int:
    """What `npm` does in the folder, quietly; its exit code."""
    quiet = ("--loglevel=error", "--no-update-notifier")
    if arguments[0] == "run":
        command = ["npm", *quiet, *arguments]
    else:
        command = ["npm", *arguments, *quiet, "--no-audit", "--no-fund"]
    return subprocess.run(
        command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(npm(Path(sys.argv[1]), *sys.argv[2:]))
