"""What checkpoints of a real folder promise besides."""

import os
import stat
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from angelia.adapters import checkpoint_tree
from angelia.adapters.file_checkpoints import FileCheckpoints
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.ports import Edit, Undone

RUN = "run_1"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


@pytest.fixture
async def checkpoints(tmp_path: Path, root: Path) -> AsyncIterator[FileCheckpoints]:
    made = FileCheckpoints(tmp_path / "kept", root)
    yield made
    await made.close()


async def commanded(checkpoints: FileCheckpoints, *deeds: object) -> None:
    await checkpoints.before_command(RUN)
    for deed in deeds:
        deed()  # pyright: ignore
    await checkpoints.after_command(RUN)


async def test_permissions_come_back(checkpoints: FileCheckpoints, root: Path) -> None:
    script = root / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    await checkpoints.before_edits(RUN, "c1", (Edit("run.sh", None),))
    await LocalWorkspace(root).remove("run.sh")
    await checkpoints.undo(RUN)
    assert stat.S_IMODE(script.stat().st_mode) == 0o755
    await commanded(checkpoints, lambda: script.chmod(0o600))
    assert [c.path for c in (await checkpoints.changes(RUN)).files] == ["run.sh"]
    await checkpoints.undo(RUN)
    assert stat.S_IMODE(script.stat().st_mode) == 0o755


async def test_links_and_empty_folders_come_back(checkpoints: FileCheckpoints, root: Path) -> None:
    (root / "link").symlink_to("target")
    (root / "empty").mkdir()
    await commanded(
        checkpoints,
        lambda: (root / "link").unlink(),
        lambda: (root / "link").symlink_to("elsewhere"),
        lambda: (root / "empty").rmdir(),
        lambda: (root / "made").mkdir(),
        lambda: (root / "other").symlink_to("/etc"),
    )
    undone = await checkpoints.undo(RUN)
    assert undone == Undone(restored=("link",), removed=("other",))
    assert (root / "link").readlink() == Path("target")
    assert sorted(path.name for path in root.iterdir()) == ["empty", "link"]


async def test_a_folder_with_something_of_others_in_it_stays(
    checkpoints: FileCheckpoints, root: Path
) -> None:
    await checkpoints.before_edits(RUN, "c1", (Edit("new/a", b"1"),))
    await LocalWorkspace(root).write("new/a", b"1")
    (root / "new/theirs").write_text("t")
    undone = await checkpoints.undo(RUN)
    assert undone.removed == ("new/a",)
    assert [(one.path, one.reason) for one in undone.conflicts] == [
        ("new", "directory not empty"),
    ]
    assert (root / "new/theirs").read_text() == "t"


async def test_a_checkpoint_outlives_the_process(tmp_path: Path, root: Path) -> None:
    before = FileCheckpoints(tmp_path / "kept", root)
    (root / "a").write_text("1")
    await before.before_edits(RUN, "c1", (Edit("a", b"2"),))
    await LocalWorkspace(root).write("a", b"2")
    await before.close()
    after = FileCheckpoints(tmp_path / "kept", root)
    assert (await after.undo(RUN)).restored == ("a",)
    assert (root / "a").read_text() == "1"
    await after.close()


async def test_a_command_that_was_cut_off_by_a_crash_stays_in_doubt(
    tmp_path: Path, root: Path
) -> None:
    before = FileCheckpoints(tmp_path / "kept", root)
    (root / "a").write_text("1")
    await before.before_command(RUN)
    (root / "a").write_text("2")
    await before.close()
    after = FileCheckpoints(tmp_path / "kept", root)
    await commanded(after, lambda: (root / "b").write_text("new"))
    undone = await after.undo(RUN)
    assert undone.removed == ("b",)
    assert [one.path for one in undone.conflicts] == ["a"]
    assert (await after.undo(RUN, force=True)).restored == ("a",)
    await after.close()


async def test_a_door_that_was_put_on_the_way_since_is_not_gone_through(
    checkpoints: FileCheckpoints, root: Path, tmp_path: Path
) -> None:
    (root / "d").mkdir()
    (root / "d/a").write_text("1")
    await checkpoints.before_edits(RUN, "c1", (Edit("d/a", b"2"),))
    (root / "d").rename(root / "e")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a").write_text("2")
    (root / "d").symlink_to(tmp_path / "outside")
    assert (await checkpoints.undo(RUN, force=True)).restored == ()
    assert (tmp_path / "outside/a").read_text() == "2"


async def test_what_is_kept_elsewhere_or_made_again_is_left_out(
    checkpoints: FileCheckpoints, root: Path
) -> None:
    (root / ".gitignore").write_text("out/\n*.log\n")
    for path in (".git/x", "node_modules/x", "out/x", "src/x"):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text("1")
    (root / "a.log").write_text("1")
    every = [root / path for path in (".git/x", "node_modules/x", "out/x", "src/x", "a.log")]
    await commanded(checkpoints, *(lambda path=path: path.write_text("2") for path in every))
    assert {c.path for c in (await checkpoints.changes(RUN)).files} == {"src/x", "a.log"}


async def test_beyond_the_bounds_it_says_so_and_removes_nothing_it_did_not_see(
    checkpoints: FileCheckpoints, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_tree, "MAX_FILES", 3)
    for name in "abcde":
        (root / name).write_text("1")
    await commanded(
        checkpoints, (root / "a").unlink, lambda: (root / "b").write_text("2"), (root / "e").unlink
    )
    changes = await checkpoints.changes(RUN)
    assert [(c.path, c.kind) for c in changes.files] == [("a", "deleted"), ("b", "changed")]
    assert "more than 3 files" in changes.notes[0]
    undone = await checkpoints.undo(RUN)
    assert undone.restored == ("a", "b")
    assert undone.notes == changes.notes
    assert sorted(path.name for path in root.iterdir()) == list("abcd")


async def test_what_is_too_large_is_named_and_not_brought_back(
    checkpoints: FileCheckpoints, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_tree, "MAX_FILE", 10)
    (root / "big").write_bytes(b"x" * 11)
    (root / "small").write_bytes(b"s")
    await commanded(checkpoints, (root / "big").unlink, (root / "small").unlink)
    undone = await checkpoints.undo(RUN)
    assert undone.restored == ("small",)
    assert [(one.path, one.reason) for one in undone.conflicts] == [
        ("big", "what was there was too large to be kept"),
    ]
    assert undone.notes == ("big has 11 bytes: what commands do to it is not kept.",)


async def test_the_bytes_of_a_whole_workspace_are_bounded(
    checkpoints: FileCheckpoints, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_tree, "MAX_TOTAL", 10)
    (root / "a").write_bytes(b"x" * 8)
    (root / "b").write_bytes(b"x" * 8)
    await commanded(checkpoints, (root / "a").unlink, (root / "b").unlink)
    undone = await checkpoints.undo(RUN)
    assert undone.restored == ("a",)
    assert "more than 10 bytes" in undone.notes[0]


async def test_folders_without_end_and_a_workspace_that_is_gone_do_no_harm(
    checkpoints: FileCheckpoints, root: Path
) -> None:
    (root / "a").write_text("1")

    def dig() -> None:
        fd = os.open(root, os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("d", dir_fd=fd)
            below = os.open("d", os.O_RDONLY, dir_fd=fd)
            os.close(fd)
            fd = below
        os.close(fd)

    await commanded(checkpoints, dig, (root / "a").unlink)
    assert (await checkpoints.undo(RUN)).restored == ("a",)
    assert "levels deep" in (await checkpoints.changes(RUN)).notes[0]
    subprocess.run(["rm", "-rf", str(root)], check=True)
    await commanded(checkpoints)
    assert "No such file" in (await checkpoints.changes(RUN)).notes[-1]


async def test_a_file_that_has_not_changed_is_not_read_again(
    checkpoints: FileCheckpoints, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "old").write_text("1")
    os.utime(root / "old", (1, 1))
    monkeypatch.setattr(checkpoint_tree, "SETTLED_NS", -1)
    await commanded(checkpoints)
    read: list[str] = []
    real = checkpoint_tree._file  # pyright: ignore[reportPrivateUsage]

    def watched(folder: int, name: str, seen: os.stat_result):
        read.append(name)
        return real(folder, name, seen)

    monkeypatch.setattr(checkpoint_tree, "_file", watched)
    (root / "new").write_text("2")
    await commanded(checkpoints)
    assert set(read) == {"new"}


async def test_contents_that_nothing_needs_are_let_go(
    checkpoints: FileCheckpoints, root: Path, tmp_path: Path
) -> None:
    data = os.urandom(1_000_000)
    await checkpoints.before_edits(RUN, "c1", (Edit("a", data),))
    await checkpoints.delete(RUN)
    await checkpoints.close()
    kept = sum(path.stat().st_size for path in (tmp_path / "kept").iterdir())
    assert kept < 500_000


async def test_names_that_are_not_utf8_are_left_out(
    checkpoints: FileCheckpoints, root: Path
) -> None:
    odd = root / os.fsdecode(b"caf\xe9")
    await commanded(checkpoints, lambda: odd.write_text("1"))
    assert (await checkpoints.changes(RUN)).files == ()


async def test_checkpoints_are_for_their_owner_only(
    checkpoints: FileCheckpoints, tmp_path: Path
) -> None:
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700
