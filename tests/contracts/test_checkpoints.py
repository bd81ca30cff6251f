"""What all checkpoints of a workspace promise."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.adapters.checkpoint_keeper import CheckpointKeeper
from angelia.adapters.file_checkpoints import FileCheckpoints
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.checkpoints import MemoryCheckpoints
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.errors import ToolError
from angelia.ports import Edit, LeftAlone, Undone, Workspace

RUN, OTHER = "run_1", "run_2"


class Place:
    """A workspace with its checkpoints, and short words for what runs do to it."""

    def __init__(self, workspace: Workspace, checkpoints: CheckpointKeeper) -> None:
        self.workspace = workspace
        self.checkpoints = checkpoints

    async def edit(self, path: str, data: bytes | None, run: str = RUN, call: str = "c1") -> None:
        await self.checkpoints.before_edits(run, call, (Edit(path, data),))
        if data is None:
            await self.workspace.remove(path)
        else:
            await self.workspace.write(path, data)

    async def files(self) -> dict[str, bytes]:
        listed = await self.workspace.list(".", 5)
        return {e.path: await self.workspace.read(e.path) for e in listed if e.kind == "file"}


@pytest.fixture(params=["memory", "files"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    if request.param == "memory":
        workspace = MemoryWorkspace()
        made = Place(workspace, MemoryCheckpoints(workspace))
    else:
        root = tmp_path / "workspace"
        made = Place(LocalWorkspace(root), FileCheckpoints(tmp_path / "checkpoints", root))
    yield made
    await made.checkpoints.close()


async def test_what_a_run_changed_is_brought_back(place: Place) -> None:
    await place.workspace.write("a", b"one\n")
    await place.workspace.write("b", b"two\n")
    await place.edit("a", b"ONE\n")
    await place.edit("a", b"ONE!\n", call="c2")
    await place.edit("b", None, call="c3")
    await place.edit("new/deep/c", b"three\n", call="c4")
    undone = await place.checkpoints.undo(RUN)
    assert undone == Undone(restored=("a", "b"), removed=("new/deep/c",))
    assert await place.files() == {"a": b"one\n", "b": b"two\n"}
    assert [entry.path for entry in await place.workspace.list(".", 5)] == ["a", "b"]


async def test_undoing_twice_is_undoing_once(place: Place) -> None:
    await place.edit("a", b"1")
    assert (await place.checkpoints.undo(RUN)).removed == ("a",)
    assert await place.checkpoints.undo(RUN) == Undone()
    assert await place.files() == {}


async def test_an_undo_can_be_undone_and_done_again(place: Place) -> None:
    await place.workspace.write("a", b"before")
    await place.edit("a", b"after")
    await place.edit("new/b", b"new", call="c2")
    await place.checkpoints.undo(RUN)
    redone = await place.checkpoints.undo(RUN, redo=True)
    assert set(redone.restored) == {"a", "new/b"}
    assert await place.files() == {"a": b"after", "new/b": b"new"}
    assert await place.checkpoints.undo(RUN, redo=True) == Undone()
    await place.checkpoints.undo(RUN)
    assert await place.files() == {"a": b"before"}


async def test_what_somebody_changed_since_is_left_alone(place: Place) -> None:
    await place.workspace.write("a", b"before")
    await place.edit("a", b"after")
    await place.edit("b", b"mine", call="c2")
    await place.workspace.write("a", b"of somebody else")
    undone = await place.checkpoints.undo(RUN)
    assert undone.conflicts == (LeftAlone("a", "somebody has changed it since"),)
    assert undone.removed == ("b",)
    assert await place.files() == {"a": b"of somebody else"}


async def test_force_takes_it_back_all_the_same_and_keeps_it_for_a_redo(place: Place) -> None:
    await place.workspace.write("a", b"before")
    await place.edit("a", b"after")
    await place.workspace.write("a", b"of somebody else")
    assert (await place.checkpoints.undo(RUN, force=True)).restored == ("a",)
    assert await place.files() == {"a": b"before"}
    await place.checkpoints.undo(RUN, redo=True)
    assert await place.files() == {"a": b"of somebody else"}


async def test_a_dry_run_changes_nothing(place: Place) -> None:
    await place.workspace.write("a", b"before")
    await place.edit("a", b"after")
    undone = await place.checkpoints.undo(RUN, dry_run=True)
    assert undone.restored == ("a",)
    assert await place.files() == {"a": b"after"}
    assert await place.checkpoints.undo(RUN, redo=True) == Undone()


async def test_a_write_that_was_announced_and_never_happened_is_no_change(place: Place) -> None:
    await place.workspace.write("a", b"before")
    await place.checkpoints.before_edits(RUN, "c1", (Edit("a", b"after"), Edit("b", b"new")))
    assert [c.standing for c in (await place.checkpoints.changes(RUN)).files] == ["undone"] * 2
    assert await place.checkpoints.undo(RUN) == Undone()
    assert await place.files() == {"a": b"before"}


async def test_changes_are_told_with_their_diff(place: Place) -> None:
    await place.workspace.write("a", b"one\ntwo\n")
    await place.workspace.write("gone", b"x\n")
    await place.edit("a", b"one\n2\n")
    await place.edit("gone", None, call="c2")
    await place.edit("d/new", b"n\n", call="c3")
    await place.edit("raw", b"\0\1", call="c4")
    changes = (await place.checkpoints.changes(RUN)).files
    assert [(c.path, c.kind, c.standing) for c in changes] == [
        ("a", "changed", "there"),
        ("d/new", "created", "there"),
        ("gone", "deleted", "there"),
        ("raw", "created", "there"),
    ]
    assert changes[0].diff == "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    assert changes[1].diff.startswith("--- /dev/null\n+++ b/d/new\n")
    assert changes[2].diff.startswith("--- a/gone\n+++ /dev/null\n")
    assert (changes[3].diff, changes[3].note) == ("", "binary, or too large to show")
    await place.workspace.write("a", b"else")
    await place.checkpoints.undo(RUN)
    standings = [c.standing for c in (await place.checkpoints.changes(RUN)).files]
    assert standings == ["conflict", "undone", "undone", "undone"]


async def test_runs_are_undone_apart_from_each_other(place: Place) -> None:
    await place.workspace.write("a", b"0")
    await place.edit("a", b"1", run=RUN)
    await place.edit("a", b"2", run=OTHER)
    assert (await place.checkpoints.undo(RUN)).conflicts != ()
    await place.checkpoints.undo(OTHER)
    assert await place.files() == {"a": b"1"}
    await place.checkpoints.undo(RUN)
    assert await place.files() == {"a": b"0"}


async def test_what_commands_change_is_brought_back(place: Place) -> None:
    await place.workspace.write("a", b"1")
    await place.workspace.write("b", b"2")
    await place.workspace.write("same", b"3")
    await place.checkpoints.before_command(RUN)
    await place.workspace.write("a", b"changed")
    await place.workspace.remove("b")
    await place.workspace.write("made/by/it", b"new")
    await place.checkpoints.after_command(RUN)
    assert {c.path for c in (await place.checkpoints.changes(RUN)).files} == {
        *("a", "b", "made/by/it"),
    }
    await place.checkpoints.undo(RUN)
    assert await place.files() == {"a": b"1", "b": b"2", "same": b"3"}
    assert [entry.path for entry in await place.workspace.list(".", 5)] == ["a", "b", "same"]


async def test_what_others_do_between_two_commands_is_not_the_runs(place: Place) -> None:
    await place.workspace.write("a", b"1")
    await place.checkpoints.before_command(RUN)
    await place.workspace.write("a", b"2")
    await place.checkpoints.after_command(RUN)
    await place.workspace.write("theirs", b"t")
    await place.checkpoints.before_command(RUN)
    await place.workspace.write("mine", b"m")
    await place.checkpoints.after_command(RUN)
    await place.checkpoints.undo(RUN)
    assert await place.files() == {"a": b"1", "theirs": b"t"}


async def test_a_command_whose_end_nobody_saw_is_undone_only_by_force(place: Place) -> None:
    await place.workspace.write("a", b"1")
    await place.checkpoints.before_command(RUN)
    await place.workspace.write("a", b"2")
    undone = await place.checkpoints.undo(RUN)
    assert [each.path for each in undone.conflicts] == ["a"]
    assert "nobody saw" in undone.conflicts[0].reason
    assert (await place.checkpoints.undo(RUN, force=True)).restored == ("a",)
    assert await place.files() == {"a": b"1"}


async def test_commands_side_by_side_are_all_undone(place: Place) -> None:
    await place.checkpoints.before_command(RUN)
    await place.workspace.write("a", b"1")
    await place.checkpoints.before_command(RUN)
    await place.workspace.write("b", b"1")
    await place.checkpoints.after_command(RUN)
    await place.workspace.write("c", b"1")
    await place.checkpoints.after_command(RUN)
    await place.workspace.write("theirs", b"1")
    await place.checkpoints.after_command(RUN)
    assert (await place.checkpoints.undo(RUN)).conflicts == ()
    assert await place.files() == {"theirs": b"1"}


async def test_a_call_that_is_made_again_finds_what_it_had_in_mind(place: Place) -> None:
    edits = (Edit("a", b"1"), Edit("b", b""))
    await place.checkpoints.before_edits(RUN, "c1", edits)
    assert tuple(await place.checkpoints.announced(RUN, "c1")) == edits
    assert await place.checkpoints.announced(RUN, "c2") == ()
    assert await place.checkpoints.announced(OTHER, "c1") == ()


async def test_a_deleted_run_has_nothing_to_undo(place: Place) -> None:
    await place.edit("a", b"1")
    await place.edit("b", b"2", run=OTHER)
    await place.checkpoints.delete(RUN)
    await place.checkpoints.delete("nobody")
    assert (await place.checkpoints.changes(RUN)).files == ()
    assert await place.checkpoints.undo(RUN) == Undone()
    assert (await place.checkpoints.undo(OTHER)).removed == ("b",)


async def test_a_path_that_leads_out_is_not_kept(place: Place) -> None:
    with pytest.raises(ToolError, match="leads out"):
        await place.checkpoints.before_edits(RUN, "c1", (Edit("../x", b""),))


names = st.sampled_from(["a", "b", "d/a", "d/e/b"])
deeds = st.lists(st.tuples(names, st.none() | st.binary(max_size=3)), max_size=12)


@given(before=st.dictionaries(names, st.binary(max_size=3)), deeds=deeds, by_command=st.booleans())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
async def test_undo_brings_back_whatever_was_there(
    place: Place, before: dict[str, bytes], deeds: list[tuple[str, bytes | None]], by_command: bool
) -> None:
    for path in await place.files():
        await place.workspace.remove(path)
    for path, data in before.items():
        await place.workspace.write(path, data)
    if by_command:
        await place.checkpoints.before_command(RUN)
    for number, (path, data) in enumerate(deeds):
        there = path in await place.files()
        if by_command and (data is not None or there):
            await (
                place.workspace.remove(path) if data is None else place.workspace.write(path, data)
            )
        elif data is not None or there:
            await place.edit(path, data, call=f"c{number}")
    if by_command:
        await place.checkpoints.after_command(RUN)
    after = await place.files()
    assert (await place.checkpoints.undo(RUN)).conflicts == ()
    assert await place.files() == before
    await place.checkpoints.undo(RUN, redo=True)
    assert await place.files() == after
    await place.checkpoints.delete(RUN)
