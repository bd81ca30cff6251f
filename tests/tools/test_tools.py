"""The package itself: what installed packages bring."""

import logging
import sys
from pathlib import Path

import pytest

from angelia.tools import installed

PLUGIN = """
from angelia.tools.define import Arguments, tool

class Nothing(Arguments, frozen=True):
    pass

@tool(Nothing, effect="pure", emoji="🌤")
async def weather(arguments, context):
    "The weather."
    return "fine"

not_a_tool = 5
"""

ENTRY_POINTS = """
[angelia.tools]
weather = angelia_plugin_for_tests:weather
nothing = angelia_plugin_for_tests:missing
number = angelia_plugin_for_tests:not_a_tool
broken = angelia_broken_plugin_for_tests:tool
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    info = tmp_path / "angelia_plugin_for_tests-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: angelia-plugin-for-tests\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "angelia_plugin_for_tests.py").write_text(PLUGIN)
    (tmp_path / "angelia_broken_plugin_for_tests.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("angelia_plugin_for_tests", None)


@pytest.mark.usefixtures("package")
def test_installed_tools_are_found_and_broken_ones_reported(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        tools = installed()
    assert [tool.spec.name for tool in tools] == ["weather"]
    reports = [record.getMessage() for record in caplog.records]
    assert len(reports) == 3
    for name in ("nothing", "number", "broken"):
        assert any(f"Tool '{name}'" in report for report in reports)


def test_without_plugins_there_are_none():
    assert installed() == ()
