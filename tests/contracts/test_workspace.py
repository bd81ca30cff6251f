"""What every workspace promises."""

import posixpath
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.workspace import ROOT, MemoryWorkspace
from angelia.errors import ToolError
from angelia.ports import Listed, Workspace


@pytest.fixture(params=["disk", "memory"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "workspace") if request.param == "disk" else ROOT


@pytest.fixture
def workspace(root: str) -> Workspace:
    return MemoryWorkspace() if root == ROOT else LocalWorkspace(Path(root))


async def test_what_was_written_is_read(workspace: Workspace):
    await workspace.write("a/b/c.bin", b"\0\xff")
    assert await workspace.read("a/b/c.bin") == b"\0\xff"
    await workspace.write("a/b/c.bin", b"")
    assert await workspace.read("a/b/c.bin") == b""


async def test_a_path_has_many_spellings(workspace: Workspace, root: str):
    await workspace.write("./a//x/../b.txt", b"1")
    for path in ("a/b.txt", "a/./b.txt", f"{root}/a/b.txt", "zz/../a/b.txt", "a/b.txt/"):
        assert await workspace.read(path) == b"1"
    assert [entry.path for entry in await workspace.list(".", 5)] == ["a", "a/b.txt"]


@pytest.mark.parametrize(
    "path", ["..", "../x", "a/../../x", "/", "/etc/passwd", "/..", "//etc/passwd", "/workspace2/x"]
)
async def test_what_leads_out_is_refused(workspace: Workspace, path: str):
    with pytest.raises(ToolError, match="leads out of the workspace"):
        await workspace.read(path)
    with pytest.raises(ToolError, match="leads out of the workspace"):
        await workspace.write(path, b"")
    with pytest.raises(ToolError, match="leads out of the workspace"):
        await workspace.list(path)


async def test_a_neighbour_with_a_longer_name_is_outside(workspace: Workspace, root: str):
    with pytest.raises(ToolError, match="leads out"):
        await workspace.read(f"{root}2/x")


async def test_a_nul_in_a_path_is_refused(workspace: Workspace):
    for work in (workspace.read("a\0b"), workspace.write("a\0b", b""), workspace.list("a\0b")):
        with pytest.raises(ToolError, match="NUL"):
            await work


async def test_missing_things_are_named(workspace: Workspace):
    with pytest.raises(ToolError, match=r"There is no 'a/b' in the workspace\."):
        await workspace.read("a/b")
    with pytest.raises(ToolError, match=r"There is no 'a' in the workspace\."):
        await workspace.list("a")
    with pytest.raises(ToolError, match=r"There is no 'a' in the workspace\."):
        await workspace.list("a", 0)


async def test_a_folder_is_not_a_file_nor_the_other_way_round(workspace: Workspace):
    await workspace.write("folder/file", b"")
    for path in ("folder", ".", ""):
        with pytest.raises(ToolError):
            await workspace.read(path)
        with pytest.raises(ToolError):
            await workspace.write(path, b"")
    with pytest.raises(ToolError, match="is a file, not a folder"):
        await workspace.write("folder/file/below", b"")
    with pytest.raises(ToolError, match="not a folder"):
        await workspace.list("folder/file")


async def test_a_listing_is_sorted_and_has_folders_before_what_is_in_them(workspace: Workspace):
    for path in ("b", "a/z", "a/y/x", "a.txt", ".hidden"):
        await workspace.write(path, path.encode())
    assert await workspace.list(".", 2) == (
        Listed(".hidden", "file", 7),
        Listed("a", "folder", 0),
        Listed("a/y", "folder", 0),
        Listed("a/z", "file", 3),
        Listed("a.txt", "file", 5),
        Listed("b", "file", 1),
    )
    assert await workspace.list("a") == (Listed("a/y", "folder", 0), Listed("a/z", "file", 3))
    assert await workspace.list("./a/", 3) == (
        Listed("a/y", "folder", 0),
        Listed("a/y/x", "file", 5),
        Listed("a/z", "file", 3),
    )


async def test_a_listing_of_depth_0_is_the_entry_itself(workspace: Workspace):
    await workspace.write("a/b", b"123")
    assert await workspace.list("a/b", 0) == (Listed("a/b", "file", 3),)
    assert await workspace.list("a", 0) == (Listed("a", "folder", 0),)
    assert await workspace.list(".", 0) == (Listed(".", "folder", 0),)


async def test_an_empty_workspace_lists_nothing(workspace: Workspace):
    assert await workspace.list(".") == ()


names = st.sampled_from(["a", "b", "..", ".", "", "ü", "x" * 300, "a\n", "\ud800", "\0"]) | st.text(
    max_size=3
)


@given(paths=st.lists(st.lists(names, max_size=5).map("/".join), max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
async def test_any_path_is_read_back_or_a_tool_error(workspace: Workspace, paths: list[str]):
    for path in paths:
        try:
            await workspace.write(path, path.encode(errors="replace"))
        except ToolError:
            continue
        assert await workspace.read(path) == path.encode(errors="replace")
        assert (await workspace.list(path, 0))[0].path == posixpath.normpath(path)
