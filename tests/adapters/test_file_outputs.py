import stat
from pathlib import Path

import pytest

from angelia.adapters.file_outputs import FileOutputs
from angelia.errors import StorageError


async def test_nothing_is_written_outside_the_folder(tmp_path: Path) -> None:
    outputs = FileOutputs(tmp_path / "deep" / "outputs")
    await outputs.put("../run", "../../call", b"data")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 1
    assert files[0].is_relative_to(tmp_path / "deep" / "outputs")


async def test_outputs_are_for_their_owner_only(tmp_path: Path) -> None:
    await FileOutputs(tmp_path / "outputs").put("run", "call", b"data")
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_an_output_that_cannot_be_written_leaves_no_half_of_it(tmp_path: Path) -> None:
    outputs = FileOutputs(tmp_path)
    await outputs.put("run", "call", b"data")
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.unlink()
    file.mkdir()
    (file / "in the way").touch()
    with pytest.raises(StorageError, match="directory"):
        await outputs.put("run", "call", b"more")
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name]


async def test_outputs_survive_a_restart(tmp_path: Path) -> None:
    await FileOutputs(tmp_path).put("run", "call", b"data")
    assert await FileOutputs(tmp_path).get("run", "call", 0, 9) == b"data"


async def test_a_disk_that_takes_nothing_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "outputs").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be kept"):
        await FileOutputs(tmp_path / "outputs").put("run_1", "c1", b"x")
