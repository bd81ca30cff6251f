"""What every built-in tool promises, over real and in-memory adapters."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.errors import ToolError
from angelia.ports import Tool, ToolOutput
from angelia.tools import builtin
from tests.tools.watching import Watcher
from tests.tools.workshop import Workshop

NAMES = ("terminal", "process", "read_file", "write_file", "list_files")


@pytest.fixture(params=["real", "memory"])
def tools(request: pytest.FixtureRequest, tmp_path: Path) -> Sequence[Tool]:
    if request.param == "memory":
        shop = Workshop()
    else:
        shop = Workshop(sandbox=PlainProcesses(tmp_path), workspace=LocalWorkspace(tmp_path))
    return builtin(shop.sandbox, shop.workspace, shop.background, shop.folders)


@pytest.fixture(params=NAMES)
def tool(request: pytest.FixtureRequest, tools: Sequence[Tool]) -> Tool:
    return next(tool for tool in tools if tool.spec.name == request.param)


def test_a_model_is_told_what_it_needs(tool: Tool):
    schema = json.loads(bytes(tool.spec.parameters))
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert tool.spec.description
    assert tool.spec.owner == "server"
    assert tool.emoji
    assert all(field["description"] for field in schema["properties"].values())
    assert "$ref" not in str(schema)


values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.lists(st.text(max_size=3))
    # Text never is a command that does anything: a shell has no command of that name.
    | st.text(max_size=5).map("#".__add__)
)
FIELDS = (
    *("path", "content", "offset", "limit", "depth", "timeout", "folder", "action", "id"),
    *("command", "background", "screen", "data", "enter"),
)
objects = st.dictionaries(st.sampled_from(FIELDS) | st.text(), values)
given_arguments = st.text() | objects.map(json.dumps) | values.map(json.dumps)


@given(arguments=given_arguments)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
async def test_any_arguments_give_output_or_a_tool_error(tool: Tool, arguments: str):
    assert tool.label(arguments).isprintable()
    lane = tool.lane(arguments)
    assert lane is None or isinstance(lane, str)
    try:
        output = await tool.call(arguments, Watcher())
    except ToolError as error:
        output = ToolOutput(str(error), "error")
    assert output.text
    output.text.encode()


ODD_PATHS = ["a\0b", "..", "/", "x/" * 5000, "y" * 5000, "~/x", "a\nb", "\u202e", "-rf", "*"]


@pytest.mark.parametrize("path", ODD_PATHS)
async def test_odd_paths_give_output_or_a_tool_error(tools: Sequence[Tool], path: str):
    _, _, reading, writing, listing = tools
    for tool, more in ((reading, {}), (writing, {"content": "x"}), (listing, {})):
        try:
            output = await tool.call(json.dumps({"path": path, **more}), Watcher())
        except ToolError as error:
            output = ToolOutput(str(error), "error")
        assert output.outcome == "ok" or len(output.text) < 1000


async def test_what_one_tool_writes_the_others_see(tools: Sequence[Tool]):
    _, _, reading, writing, listing = tools
    watcher = Watcher()
    await writing.call('{"path": "a/b.txt", "content": "hello\\n"}', watcher)
    read, listed = await asyncio.gather(
        reading.call('{"path": "a/b.txt"}', watcher),
        listing.call('{"depth": 2}', watcher),
    )
    assert read.text == "hello\n"
    assert listed.text == "a/\na/b.txt  6"
