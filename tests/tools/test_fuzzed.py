"""Whatever a model writes as arguments: no crash, no way out of the workspace, always a result."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.adapters.file_checkpoints import FileCheckpoints
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.adapters.ripgrep_search import RipgrepSearch
from angelia.adapters.walking_search import WalkingSearch
from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Tool, ToolOutput
from angelia.tools import files
from tests.support.fuzz import arguments_of
from tests.tools.watching import Watcher

SECRET = "swordfish"
NAMES = ("read_file", "write_file", "patch", "search_files", "list_files")


class Fenced:
    """A workspace with doors that lead out, and all that lies outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "workspace"
        self.root.mkdir()
        (folder / "outside").mkdir()
        (folder / "secret").write_text(SECRET)
        (folder / "outside/secret").write_text(SECRET)
        (self.root / "a.txt").write_text("one\ntwo\n")
        (self.root / "door").symlink_to("../outside")
        (self.root / "link").symlink_to("../secret")
        (self.root / "round").symlink_to(".")
        (self.root / ".gitignore").write_text("*.log\n")

    def outside(self) -> dict[str, bytes]:
        inside = (str(self.root), str(self.folder / "kept"))
        return {
            str(path): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file() and not str(path).startswith(inside)
        }

    def tools(self) -> Sequence[Tool]:
        sandbox, workspace = PlainProcesses(self.root), LocalWorkspace(self.root)
        search = RipgrepSearch(sandbox, workspace, WalkingSearch(self.root))
        return files(workspace, FileCheckpoints(self.folder / "kept", self.root), search)


@pytest.fixture(scope="module")
def fenced(tmp_path_factory: pytest.TempPathFactory) -> Fenced:
    return Fenced(tmp_path_factory.mktemp("fenced"))


@pytest.fixture(scope="module")
def tools(fenced: Fenced) -> dict[str, Tool]:
    return {tool.spec.name: tool for tool in fenced.tools()}


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=120,
    deadline=None,
)
async def test_any_arguments_come_to_a_result_inside(
    fenced: Fenced, tools: dict[str, Tool], name: str, data: st.DataObject
) -> None:
    tool, before = tools[name], fenced.outside()
    arguments = data.draw(arguments_of(tool, ("a.txt", "one", "door/secret", "link", SECRET[:5])))
    assert tool.label(arguments).isprintable()
    assert isinstance(tool.touched(arguments), Touched)
    tool.lane(arguments)
    try:
        output = await tool.call(arguments, Watcher(call_id=os.urandom(4).hex()))
    except ToolError as error:
        output = ToolOutput(str(error), "error")
    assert output.text
    output.text.encode()
    assert SECRET not in output.text.replace(arguments, "")
    assert fenced.outside() == before
    assert not list(fenced.root.rglob("pwned"))


@pytest.mark.parametrize("path", ["door/secret", "link", "../secret", "round/../../secret"])
@pytest.mark.parametrize("name", NAMES)
async def test_no_tool_goes_through_a_door(
    fenced: Fenced, tools: dict[str, Tool], name: str, path: str
) -> None:
    arguments = {
        "read_file": {"path": path},
        "write_file": {"path": path, "content": "x"},
        "patch": {"edits": [{"path": path, "old": SECRET, "new": "x"}]},
        "search_files": {"path": path, "pattern": "s"},
        "list_files": {"path": path},
    }
    with pytest.raises(ToolError, match="leads out of the workspace"):
        await tools[name].call(json.dumps(arguments[name]), Watcher())
    assert set(fenced.outside().values()) == {SECRET.encode()}
