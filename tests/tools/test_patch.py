import json
from pathlib import Path

import pytest

from angelia.adapters.file_checkpoints import FileCheckpoints
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.checkpoints import MemoryCheckpoints
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Edit
from angelia.tools.patch import patch
from tests.tools.watching import Watcher


class Bench:
    def __init__(self, files: dict[str, bytes]) -> None:
        self.workspace = MemoryWorkspace(files)
        self.checkpoints = MemoryCheckpoints(self.workspace)
        self.tool = patch(self.workspace, self.checkpoints)
        self._calls = 0

    async def ask(self, *edits: dict[str, object], call: str = "") -> str:
        self._calls += 1
        watcher = Watcher(call or f"call_{self._calls}")
        return (await self.tool.call(json.dumps({"edits": edits}), watcher)).text


async def test_several_files_are_changed_at_once() -> None:
    bench = Bench({"a": b"one\ntwo\n", "b": b"x\n", "gone": b"g\n"})
    said = await bench.ask(
        {"path": "a", "old": "one", "new": "1"},
        {"path": "a", "old": "two", "new": "2"},
        {"path": "./b", "old": "x", "new": "y"},
        {"path": "new/c", "new": "c\n"},
        {"path": "gone", "delete": True},
    )
    assert bench.workspace.files == {"a": b"1\n2\n", "b": b"y\n", "new/c": b"c\n"}
    assert said == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n-two\n+1\n+2\n"
        "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n"
        "--- /dev/null\n+++ b/new/c\n@@ -0,0 +1 @@\n+c\n"
        "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g"
    )


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"path": "b", "old": "nowhere", "new": "x"}, "b (edit 2 of 2): 'old' was not found"),
        ({"path": "b", "old": "x", "new": "y"}, "'old' fits in 2 places"),
        ({"path": "c", "old": "x", "new": "y"}, "there is no such file; leave 'old' empty"),
        ({"path": "b", "new": "y"}, "'old' is empty, but the file exists"),
        ({"path": "c", "delete": True}, "there is no such file to delete"),
        ({"path": "b", "delete": True, "new": "x"}, "'delete' goes without"),
        ({"path": "bin", "old": "x", "new": "y"}, "this is a binary file"),
        ({"path": "../b", "old": "x", "new": "y"}, "leads out of the workspace"),
        ({"path": "d", "old": "x", "new": "y"}, "is not a file"),
        ({"path": "b/c", "new": "y"}, "is a file, not a folder"),
    ],
)
async def test_all_or_nothing(edit: dict[str, object], message: str) -> None:
    files = {"a": b"one\n", "b": b"x\nx\n", "bin": b"x\0", "d/e": b""}
    bench = Bench(files)
    with pytest.raises(ToolError) as caught:
        await bench.ask({"path": "a", "old": "one", "new": "1"}, edit)
    assert message in str(caught.value)
    assert bench.workspace.files == files


async def test_a_write_that_fails_takes_those_before_it_back(tmp_path: Path) -> None:
    root = tmp_path / "w"
    workspace, kept = LocalWorkspace(root), FileCheckpoints(tmp_path / "kept", root)
    (root / "a").write_bytes(b"one\n")
    (root / "b").write_bytes(b"x\n")
    edits = [
        {"path": "a", "old": "one", "new": "1"},
        {"path": "new", "new": "n"},
        {"path": "b/below", "new": "y"},
    ]
    with pytest.raises(ToolError, match="is a file, not a folder"):
        await patch(workspace, kept).call(json.dumps({"edits": edits}), Watcher())
    assert {path.name: path.read_bytes() for path in root.iterdir()} == {"a": b"one\n", "b": b"x\n"}
    await kept.close()


async def test_a_place_found_nearly_is_named() -> None:
    bench = Bench({"a": b"f():  \n  pass\n", "b": b"x x"})
    said = await bench.ask({"path": "a", "old": "f():\n  pass", "new": "g():\n  pass"})
    assert said.endswith("\n[a: found although white space at the ends of lines differs]")
    said = await bench.ask({"path": "b", "old": "x", "new": "y", "all": True})
    assert said.endswith("[b: 2 places replaced]")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\r\nold\r\n", b"a\r\nn1\r\nn2\r\n"),
        (b"\xef\xbb\xbfold", b"\xef\xbb\xbfn1\nn2"),
        ("é old".encode("latin-1"), "é n1\nn2".encode("latin-1")),
        ("é old\n".encode("utf-16"), "é n1\nn2\n".encode("utf-16")),
    ],
)
async def test_endings_and_encodings_stay(before: bytes, after: bytes) -> None:
    bench = Bench({"a": before})
    await bench.ask({"path": "a", "old": "old", "new": "n1\nn2"})
    assert bench.workspace.files["a"] == after


async def test_what_has_no_place_in_an_encoding_is_refused() -> None:
    bench = Bench({"a": "é old".encode("latin-1")})
    with pytest.raises(ToolError, match="'→' has no place in latin-1"):
        await bench.ask({"path": "a", "old": "old", "new": "→"})


async def test_one_file_by_two_names_is_one_file(tmp_path: Path) -> None:
    root = tmp_path / "w"
    workspace, kept = LocalWorkspace(root), FileCheckpoints(tmp_path / "kept", root)
    (root / "a").write_bytes(b"one two")
    (root / "link").symlink_to("a")
    edits = [
        {"path": "a", "old": "one", "new": "1"},
        {"path": "link", "old": "two", "new": "2"},
    ]
    await patch(workspace, kept).call(json.dumps({"edits": edits}), Watcher())
    assert (root / "a").read_bytes() == b"1 2"
    await kept.undo("run_1")
    assert (root / "a").read_bytes() == b"one two"
    assert (root / "link").is_symlink()
    await kept.close()


async def test_a_call_that_was_cut_off_is_completed_when_it_is_made_again() -> None:
    bench = Bench({"a": b"one", "b": b"x"})
    edits = (Edit("a", b"1"), Edit("b", b"y"))
    await bench.checkpoints.before_edits("run_1", "call_9", edits)
    await bench.workspace.write("a", b"1")
    said = await bench.ask(
        {"path": "a", "old": "one", "new": "1"},
        {"path": "b", "old": "x", "new": "y"},
        call="call_9",
    )
    assert said.startswith("Done: a, b.")
    assert bench.workspace.files == {"a": b"1", "b": b"y"}


async def test_a_patch_can_be_undone() -> None:
    files = {"a": b"one", "gone": b"g"}
    bench = Bench(files)
    await bench.ask(
        {"path": "a", "old": "one", "new": "1"},
        {"path": "gone", "delete": True},
        {"path": "new", "new": "n"},
    )
    await bench.checkpoints.undo("run_1")
    assert bench.workspace.files == files


async def test_edits_that_come_to_nothing_are_told_so() -> None:
    bench = Bench({"a": b"one"})
    with pytest.raises(ToolError, match="nothing would change"):
        await bench.ask(
            {"path": "a", "old": "one", "new": "1"}, {"path": "a", "old": "1", "new": "one"}
        )


def test_a_patch_touches_all_its_files() -> None:
    tool = Bench({}).tool
    arguments = '{"edits": [{"path": "./a", "new": "x"}, {"path": "b"}, {"path": "a"}]}'
    assert tool.lane(arguments) == "a\0b"
    assert tool.touched(arguments) == Touched(paths=("a", "b"))
    assert tool.label(arguments) == "a, b"
    assert tool.spec.effect == "idempotent"
