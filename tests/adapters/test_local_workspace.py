import os
import socket
import stat
from pathlib import Path

import pytest

from angelia.adapters import local_workspace
from angelia.adapters.local_workspace import READ_LIMIT, LocalWorkspace
from angelia.errors import ToolError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "outside").mkdir()
    return tmp_path / "workspace"


@pytest.fixture
def workspace(root: Path) -> LocalWorkspace:
    return LocalWorkspace(root)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def leftovers(root: Path) -> list[str]:
    return [name for _, _, names in os.walk(root) for name in names if name.startswith(".angelia-")]


@pytest.mark.parametrize("target", ["../secret", "/etc/passwd", "../workspace/../secret", "/"])
async def test_a_link_that_leads_out_is_not_followed(
    workspace: LocalWorkspace, root: Path, target: str
):
    (root / "link").symlink_to(target)
    for work in (workspace.read("link"), workspace.write("link", b"x"), workspace.list("link")):
        with pytest.raises(ToolError, match="leads out"):
            await work
    assert (root.parent / "secret").read_bytes() == b"secret"


async def test_a_folder_link_that_leads_out_is_not_entered(workspace: LocalWorkspace, root: Path):
    (root / "door").symlink_to("../outside")
    for path in ("door/x", "door/new/x"):
        with pytest.raises(ToolError, match="leads out"):
            await workspace.write(path, b"x")
    assert list((root.parent / "outside").iterdir()) == []


async def test_links_inside_the_workspace_are_followed(workspace: LocalWorkspace, root: Path):
    await workspace.write("deep/er/file", b"1")
    (root / "relative").symlink_to("deep/er/file")
    (root / "absolute").symlink_to(root / "deep")
    (root / "deep/up").symlink_to("../deep/er/../er/file")
    (root / "twice").symlink_to("relative")
    for path in ("relative", "absolute/er/file", "deep/up", "twice", "absolute/up"):
        assert await workspace.read(path) == b"1"
    await workspace.write("twice", b"2")
    assert (root / "twice").is_symlink()
    assert (root / "deep/er/file").read_bytes() == b"2"


async def test_a_dangling_link_inside_is_written_through(workspace: LocalWorkspace, root: Path):
    (root / "link").symlink_to("new/target")
    with pytest.raises(ToolError, match="There is no 'link'"):
        await workspace.read("link")
    await workspace.write("link", b"1")
    assert (root / "new/target").read_bytes() == b"1"


async def test_links_in_a_circle_come_to_an_end(workspace: LocalWorkspace, root: Path):
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    (root / "self").symlink_to("self/x")
    for path in ("a", "self", "a/x"):
        for work in (workspace.read(path), workspace.write(path, b""), workspace.list(path)):
            with pytest.raises(ToolError, match="circle of links"):
                await work


async def test_a_listing_names_links_without_following_them(workspace: LocalWorkspace, root: Path):
    (root / "out").symlink_to("/")
    (root / "round").symlink_to(".")
    os.mkfifo(root / "fifo")
    entries = await workspace.list(".", 5)
    assert [(entry.path, entry.kind) for entry in entries] == [
        ("fifo", "other"),
        ("out", "link"),
        ("round", "link"),
    ]


async def test_a_workspace_reached_through_a_link_knows_both_its_names(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    workspace = LocalWorkspace(tmp_path / "alias")
    await workspace.write("x", b"1")
    assert await workspace.read(str(tmp_path / "alias/x")) == b"1"
    assert await workspace.read(str(tmp_path / "real/x")) == b"1"


async def test_pipes_sockets_and_devices_are_refused_without_waiting(
    workspace: LocalWorkspace, root: Path
):
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))
        for path in ("fifo", "socket"):
            with pytest.raises(ToolError, match="is not a regular file"):
                await workspace.read(path)
            with pytest.raises(ToolError, match="is not a regular file"):
                await workspace.write(path, b"x")
    assert stat.S_ISFIFO((root / "fifo").stat().st_mode)


async def test_a_device_is_refused(workspace: LocalWorkspace, root: Path):
    try:
        os.mknod(root / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("devices can be made by root only")
    with pytest.raises(ToolError, match="is not a regular file"):
        await workspace.read("null")


async def test_a_file_over_the_limit_is_refused_by_its_size(workspace: LocalWorkspace, root: Path):
    with (root / "big").open("wb") as file:
        file.truncate(READ_LIMIT + 1)
    with pytest.raises(ToolError, match="has 10,485,761 bytes; the limit is 10,485,760"):
        await workspace.read("big")
    with (root / "big").open("r+b") as file:
        file.truncate(READ_LIMIT)
    assert len(await workspace.read("big")) == READ_LIMIT


async def test_large_files_go_both_ways(workspace: LocalWorkspace):
    data = os.urandom(3 * 1024 * 1024)
    await workspace.write("large", data)
    assert await workspace.read("large") == data


async def test_a_replaced_file_keeps_its_permissions(workspace: LocalWorkspace, root: Path):
    await workspace.write("script", b"1")
    (root / "script").chmod(0o750)
    await workspace.write("script", b"2")
    assert stat.S_IMODE((root / "script").stat().st_mode) == 0o750


async def test_a_write_that_fails_leaves_the_old_file_and_no_traces(
    workspace: LocalWorkspace, root: Path, monkeypatch: pytest.MonkeyPatch
):
    await workspace.write("file", b"old")

    def full(fd: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(local_workspace.os, "write", full)
    with pytest.raises(ToolError, match="'file': No space left on device"):
        await workspace.write("file", b"new")
    monkeypatch.undo()
    assert await workspace.read("file") == b"old"
    assert leftovers(root) == []


async def test_a_reader_sees_the_old_file_or_the_new_one(workspace: LocalWorkspace, root: Path):
    await workspace.write("file", b"old")
    with (root / "file").open("rb") as reader:
        await workspace.write("file", b"new")
        assert reader.read() == b"old"
    assert leftovers(root) == []


@pytest.mark.parametrize("path", ["x" * 256, "x/" * 3000 + "x"])
async def test_endless_paths_are_named_in_short(workspace: LocalWorkspace, path: str):
    with pytest.raises(ToolError) as caught:
        await workspace.read(path)
    assert len(str(caught.value)) < 400


async def test_links_do_not_lead_deeper_than_paths_may(workspace: LocalWorkspace, root: Path):
    deep = "/".join("d" * 60)
    (root / deep / deep).mkdir(parents=True)
    (root / "half").symlink_to(deep)
    assert await workspace.list("half") != ()
    with pytest.raises(ToolError, match="more than 100 folders deep"):
        await workspace.write(f"half/{deep}/file", b"1")


async def test_names_that_are_not_utf8_can_be_listed(workspace: LocalWorkspace, root: Path):
    (root / os.fsdecode(b"caf\xe9")).write_bytes(b"")
    assert [entry.path for entry in await workspace.list(".")] == ["caf\ufffd"]


async def test_no_descriptor_is_left_open(workspace: LocalWorkspace, root: Path):
    (root / "out").symlink_to("/etc")
    os.mkfifo(root / "fifo")
    # The first listing starts a thread, which wakes the loop through descriptors that stay.
    await workspace.list(".")
    before = descriptors()
    for path in ("a/b/c", "out/x", "fifo", "missing", ".", "a/b/c/d"):
        for work in (workspace.write(path, b"1"), workspace.read(path), workspace.list(path, 3)):
            try:
                await work
            except ToolError:
                continue
    assert descriptors() == before
