"""The tests of the console's own code, which are written in its language."""

import subprocess
from pathlib import Path

import pytest

from tests.support import node

WEB = Path(__file__).parent.parent.parent / "web"


def test_the_code_of_the_console_passes_its_own_tests() -> None:
    _, missing = node.command(WEB)
    if missing:
        pytest.skip(missing)
    answer = subprocess.run(
        ["npm", "test", "--silent", "--", "--no-color"],
        cwd=WEB,
        env={**node.environment(), "CI": "1", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=110,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout
