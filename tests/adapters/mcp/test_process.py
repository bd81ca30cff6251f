import asyncio
import sys
from pathlib import Path

import pytest

from angelia.adapters.mcp.process import (
    Complaints,
    NoSuchCommand,
    command_line,
    environment,
    listened,
)
from tests.adapters.mcp.world import settings_for


def test_a_command_with_a_folder_counts_from_where_it_works(tmp_path: Path) -> None:
    script = tmp_path / "there" / "serve"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    (server,) = settings_for(
        tmp_path, s={"command": "./serve", "args": ["--fast"], "cwd": "there"}
    ).mcp
    line = command_line(server, {"PATH": "/bin"})
    assert line[0] == sys.executable
    assert [Path(line[-2]).resolve(), line[-1]] == [script, "--fast"]


def test_a_command_is_looked_for_on_the_path_of_the_server(tmp_path: Path) -> None:
    (server,) = settings_for(tmp_path, s={"command": "sh"}).mcp
    assert command_line(server, {"PATH": "/usr/bin:/bin"})[-1].endswith("/sh")
    with pytest.raises(NoSuchCommand, match="'sh' is not found"):
        command_line(server, {"PATH": str(tmp_path)})


def test_what_is_given_wins_over_what_is_passed_on(tmp_path: Path) -> None:
    (server,) = settings_for(tmp_path, s={"command": "sh", "env": {"TZ": "UTC"}}).mcp
    seen = environment(server, {"TZ": "CET", "PATH": "/bin", "OPENAI_API_KEY": "sk-1"})
    assert seen == {"PATH": "/bin", "LANG": "C.UTF-8", "TZ": "UTC"}


async def test_complaints_of_any_length_are_heard_and_the_last_ones_remembered() -> None:
    complaints = Complaints("odd")
    async with listened(complaints) as file:
        text = "x" * 50_000 + "\n" + "".join(f"line {n}\n" for n in range(10)) + "no newline"
        await asyncio.to_thread(_write, file.fileno(), text.encode())
    assert complaints.last.splitlines() == ["line 6", "line 7", "line 8", "line 9", "no newline"]


def _write(descriptor: int, data: bytes) -> None:
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
