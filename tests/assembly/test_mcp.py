import subprocess
import sys
from pathlib import Path

import pytest

from angelia.adapters.system_clock import SystemClock
from angelia.assembly.mcp import mcp_servers
from angelia.config import load
from angelia.core.redact import SHAPES_ONLY

SERVERS = """
[mcp.one]
command = "true"
[mcp.two]
command = "true"
"""


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ("", ["one", "two"]),
        ("tools = ['mcp__*']", ["one", "two"]),
        ("tools = ['mcp__one']", ["one"]),
        ("tools = ['mcp__two__echo', 'terminal']", ["two"]),
        ("tools = ['terminal']", []),
    ],
)
def test_servers_that_no_agent_may_use_are_left_out(
    tmp_path: Path, tools: str, expected: list[str]
) -> None:
    (tmp_path / "angelia.toml").write_text(f"[agent]\n{tools}\n{SERVERS}")
    servers = mcp_servers(load({}, home=tmp_path), SystemClock(), SHAPES_ONLY)
    assert [status.name for status in servers.statuses()] == expected


def test_the_sdk_is_not_loaded_before_a_server_is_to_be_reached() -> None:
    code = (
        "import angelia.assembly.server, sys; print('mcp' in sys.modules, 'httpx2' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]
