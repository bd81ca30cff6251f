import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.errors import ToolError
from angelia.ports import Listed, Tool
from angelia.tools.files import excerpt, list_files, listing, read_file, write_file
from tests.tools.watching import Watcher


async def ask(tool: Tool, **arguments: object) -> str:
    output = await tool.call(json.dumps(arguments), Watcher())
    assert output.outcome == "ok"
    return output.text


@pytest.mark.parametrize(
    ("data", "offset", "limit", "text"),
    [
        (b"a\nb\nc\n", 1, 2000, "a\nb\nc\n"),
        (b"a\nb\nc", 2, 2000, "b\nc"),
        (b"a\nb\nc\n", 1, 3, "a\nb\nc\n"),
        (b"a\nb\nc\n", 1, 2, "a\nb\n[lines 1 to 2 of 3; read on with offset=3]"),
        (b"a\nb\nc\n", 2, 1, "b\n[lines 2 to 2 of 3; read on with offset=3]"),
        (b"a\r\nb\x0cc\r\n", 1, 9, "a\r\nb\x0cc\r\n"),
        (b"", 1, 1, "[the file is empty]"),
        (b"\n", 1, 1, "\n"),
        (b"bad \xff", 1, 1, "bad \ufffd"),
        (b"x" * 1_000_000, 1, 1, "x" * 1_000_000),
        (b"a", 1, 10**30, "a"),
    ],
)
def test_the_lines_asked_for(data: bytes, offset: int, limit: int, text: str):
    assert excerpt(data, offset, limit) == text


def test_an_offset_behind_the_end_says_where_the_end_is():
    with pytest.raises(ToolError, match=r"'offset' is 4, but the file ends at line 3\."):
        excerpt(b"a\nb\nc\n", 4, 1)


@given(st.text(min_size=1), st.integers(1, 5))
def test_reading_on_as_told_reads_the_whole_file(content: str, limit: int):
    data, offset, read = content.encode(), 1, ""
    while True:
        text = excerpt(data, offset, limit)
        body, note, _ = text.rpartition(f"\n[lines {offset} to ")
        if not note:
            break
        read += body + "\n"
        offset += limit
    assert read + text == content


async def test_a_binary_file_is_named_with_its_size():
    workspace = MemoryWorkspace({"a.bin": b"\x7fELF\0" * 1000})
    assert (
        await ask(read_file(workspace), path="a.bin") == "[a.bin is a binary file of 5,000 bytes]"
    )


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("src/mian.py", "There is no 'src/mian.py' in the workspace. Did you mean 'src/main.py'?"),
        ("zzzzzzzz", "There is no 'zzzzzzzz' in the workspace."),
        ("nowhere/x", "There is no 'nowhere/x' in the workspace."),
        ("src", "'src' is not a file."),
    ],
)
async def test_a_missing_file_is_answered_with_a_near_name(path: str, message: str):
    workspace = MemoryWorkspace({"src/main.py": b"", "src/a/b": b""})
    with pytest.raises(ToolError) as caught:
        await ask(read_file(workspace), path=path)
    assert str(caught.value) == message


async def test_a_path_that_leads_out_gets_no_suggestions():
    with pytest.raises(ToolError, match=r"leads out of the workspace; use a path inside it\.$"):
        await ask(read_file(MemoryWorkspace({"passwd": b""})), path="../passwd")


async def test_writing_says_how_much_and_whether_it_is_new():
    workspace = MemoryWorkspace()
    tool = write_file(workspace)
    assert await ask(tool, path="a/ü.txt", content="é") == "Wrote 2 bytes to a/ü.txt (new file)"
    assert await ask(tool, path="a/ü.txt", content="") == "Wrote 0 bytes to a/ü.txt (replaced)"
    assert workspace.files == {"a/ü.txt": b""}


async def test_a_listing_marks_folders_and_shows_sizes():
    workspace = MemoryWorkspace({"b.txt": b"12345", "a/x.py": b"", "a/deep/y": b"1"})
    tool = list_files(workspace)
    assert await ask(tool) == "a/\nb.txt  5"
    assert await ask(tool, depth=2) == "a/\na/deep/\na/x.py  0\nb.txt  5"
    assert await ask(tool, path="a", depth=5) == "a/deep/\na/deep/y  1\na/x.py  0"
    assert await ask(list_files(MemoryWorkspace())) == "[the folder is empty]"


def test_links_and_devices_are_called_what_they_are():
    entries = [Listed("l", "link", 0), Listed("d", "other", 0)]
    assert listing(entries) == "l  (link)\nd  (not a file)"


def test_a_long_listing_is_cut_and_says_so():
    lines = listing([Listed(f"{n:04}", "file", n) for n in range(1001)]).split("\n")
    assert len(lines) == 1001
    assert lines[-1] == "[1,000 of 1,001 entries; list a folder further down]"
    assert "[" not in listing([Listed("x", "file", 1)] * 1000)


@pytest.mark.parametrize("depth", [0, 6])
async def test_depth_has_bounds(depth: int):
    with pytest.raises(ToolError, match="'depth'"):
        await ask(list_files(MemoryWorkspace()), depth=depth)


def test_reads_and_writes_of_one_file_share_a_lane():
    workspace = MemoryWorkspace()
    reading = read_file(workspace).lane('{"path": "./a/../b.txt"}')
    writing = write_file(workspace).lane('{"path": "b.txt", "content": ""}')
    assert reading == writing == "b.txt"
    assert list_files(workspace).lane("{}") is None


def test_effects_say_what_may_run_again():
    workspace = MemoryWorkspace()
    tools = (read_file(workspace), write_file(workspace), list_files(workspace))
    assert [tool.spec.effect for tool in tools] == ["pure", "idempotent", "pure"]
    assert [tool.label('{"path": "x"}') for tool in (tools[0], tools[2])] == ["x", "x"]
    assert tools[1].label('{"path": "x", "content": "y"}') == "x"
