"""When a run may be undone, and what is shown of it."""

import pytest
from msgspec.structs import replace

from angelia.adapters.memory.checkpoints import MemoryCheckpoints
from angelia.adapters.memory.outputs import MemoryOutputs
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.core.redact import Redactor
from angelia.errors import Conflict
from angelia.ports import Edit
from angelia.runtime.kept import KeptWithRun
from angelia.runtime.undoing import Undoing
from tests.contracts.stores import record

SECRET = "sk-" + "a1b2c3d4" * 4


async def test_a_run_under_way_is_not_undone() -> None:
    workspace = MemoryWorkspace({"a": b"2"})
    checkpoints = MemoryCheckpoints(workspace)
    await checkpoints.before_edits("run", "c1", (Edit("a", b"3"),))
    await workspace.write("a", b"3")
    undoing = Undoing(checkpoints)
    for status in ("running", "queued", "waiting_for_approval", "waiting_for_client"):
        with pytest.raises(Conflict, match="stop it before undoing"):
            await undoing.undo(record("run", status=status), force=True, redo=False, dry_run=False)
    done = replace(record("run"), status="failed")
    assert (await undoing.undo(done, force=False, redo=False, dry_run=False)).restored == ("a",)


async def test_no_diff_shows_a_secret() -> None:
    workspace = MemoryWorkspace()
    checkpoints = MemoryCheckpoints(workspace)
    await checkpoints.before_edits("run", "c1", (Edit("a", f"key={SECRET}\n".encode()),))
    await workspace.write("a", f"key={SECRET}\n".encode())
    (change,) = (await Undoing(checkpoints, Redactor(SECRET)).changes(record("run"))).files
    assert "+key=" in change.diff
    assert SECRET not in change.diff


async def test_checkpoints_go_with_the_outputs_of_a_run() -> None:
    workspace = MemoryWorkspace()
    checkpoints = MemoryCheckpoints(workspace)
    kept = KeptWithRun(MemoryOutputs(), checkpoints)
    await checkpoints.before_edits("run", "c1", (Edit("a", b"1"),))
    await workspace.write("a", b"1")
    await kept.put("run", "c1", b"whole")
    assert await kept.get("run", "c1", 0, 9) == b"whole"
    await kept.delete("run")
    assert await kept.get("run", "c1", 0, 9) is None
    assert (await checkpoints.changes("run")).files == ()
