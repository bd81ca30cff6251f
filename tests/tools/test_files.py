import json
from pathlib import Path

import pytest

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.checkpoints import MemoryCheckpoints
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.errors import ToolError
from angelia.ports import Listed, Tool
from angelia.tools.files import list_files, listing, read_file, write_file
from tests.tools.watching import Watcher


async def ask(tool: Tool, **arguments: object) -> str:
    output = await tool.call(json.dumps(arguments), Watcher())
    assert output.outcome == "ok"
    return output.text


async def test_a_binary_file_is_named_with_its_size():
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
    workspace = MemoryWorkspace({"a.bin": b"\x7fELF\0" * 1000, "b": b"a\0b", "p.png": png})
    tool = read_file(workspace)
    assert await ask(tool, path="a.bin") == "[a.bin is a binary file (ELF program) of 5,000 bytes]"
    assert await ask(tool, path="b") == "[b is a binary file of 3 bytes]"
    assert await ask(tool, path="p.png") == "[p.png is an image (PNG image, 640 × 480) of 24 bytes]"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("one\ntwo\n".encode("utf-16"), "one\ntwo\n[the file is UTF-16-LE]"),
        (b"\xef\xbb\xbfone\n", "one\n"),
        ("caf\u00e9\n".encode("latin-1"), "caf\u00e9\n[not UTF-8: read as Latin-1]"),
        (b"", "[the file is empty]"),
    ],
)
async def test_other_encodings_are_read_and_named(data: bytes, text: str):
    assert await ask(read_file(MemoryWorkspace({"f": data})), path="f") == text


async def test_lines_can_be_numbered():
    tool = read_file(MemoryWorkspace({"f": b"a\nb\nc\n"}))
    text = await ask(tool, path="f", offset=2, limit=1, line_numbers=True)
    assert text == "     2\tb\n[lines 2 to 2 of 3; read on with offset=3]"


async def test_the_beginning_of_a_huge_file_is_cheap(tmp_path: Path):
    with (tmp_path / "huge").open("wb") as file:
        file.write(b"line\n" * 10_000)
        file.truncate(5 * 1024**3)
    text = await ask(read_file(LocalWorkspace(tmp_path)), path="huge", limit=2)
    assert text == "line\nline\n[lines 1 to 2; more follow: read on with offset=3]"


async def test_a_window_deep_inside_a_large_file_is_found(tmp_path: Path):
    (tmp_path / "large").write_bytes(b"".join(b"%d\n" % n for n in range(1, 6_000_000)))
    (tmp_path / "link").symlink_to("large")
    tool = read_file(LocalWorkspace(tmp_path))
    text = await ask(tool, path="link", offset=5_000_000, limit=2)
    assert text.startswith("5000000\n5000001\n[lines 5000000 to 5000001; more follow")


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


async def test_writing_says_how_much_and_what_is_different():
    workspace = MemoryWorkspace()
    tool = write_file(workspace, MemoryCheckpoints(workspace))
    assert await ask(tool, path="a/ü.txt", content="é") == "Wrote 2 bytes to a/ü.txt (new file)"
    assert await ask(tool, path="a/ü.txt", content="e\n") == (
        "Wrote 2 bytes to a/ü.txt (replaced)\n--- a/a/ü.txt\n+++ b/a/ü.txt\n@@ -1 +1 @@\n-é\n"
        "\\ No newline at end of file\n+e\n"
    )
    assert await ask(tool, path="a/ü.txt", content="e\n") == "Wrote 2 bytes to a/ü.txt (replaced)"
    assert workspace.files == {"a/ü.txt": b"e\n"}


async def test_what_was_written_can_be_undone():
    workspace = MemoryWorkspace({"a": b"before"})
    checkpoints = MemoryCheckpoints(workspace)
    tool = write_file(workspace, checkpoints)
    await ask(tool, path="a", content="after")
    await ask(tool, path="b", content="new")
    await checkpoints.undo("run_1")
    assert workspace.files == {"a": b"before"}


async def test_half_a_character_is_refused():
    workspace = MemoryWorkspace()
    tool = write_file(workspace, MemoryCheckpoints(workspace))
    with pytest.raises(ToolError, match=r"'content'|not valid JSON"):
        await tool.call('{"path": "a", "content": "\\ud800"}', Watcher())
    assert workspace.files == {}


async def test_what_git_ignores_is_marked_or_left_out():
    files = {".gitignore": b"*.log\nbuild/\n", "a.log": b"", "build/x": b"", "src/b.log": b""}
    tool = list_files(MemoryWorkspace({**files, "src/c": b""}))
    assert await ask(tool, depth=2) == (
        ".gitignore  13\na.log  0  (ignored)\nbuild/  (ignored)\nbuild/x  0  (ignored)\n"
        "src/\nsrc/b.log  0  (ignored)\nsrc/c  0"
    )
    assert await ask(tool, depth=2, ignored="skip") == ".gitignore  13\nsrc/\nsrc/c  0"
    assert await ask(tool, path="src") == "src/b.log  0  (ignored)\nsrc/c  0"


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
    writing = write_file(workspace, MemoryCheckpoints(workspace)).lane(
        '{"path": "b.txt", "content": ""}'
    )
    assert reading == writing == "b.txt"
    assert list_files(workspace).lane("{}") is None


def test_effects_say_what_may_run_again():
    workspace = MemoryWorkspace()
    journal = MemoryCheckpoints(workspace)
    tools = (read_file(workspace), write_file(workspace, journal), list_files(workspace))
    assert [tool.spec.effect for tool in tools] == ["pure", "idempotent", "pure"]
    assert [tool.label('{"path": "x"}') for tool in (tools[0], tools[2])] == ["x", "x"]
    assert tools[1].label('{"path": "x", "content": "y"}') == "x"
