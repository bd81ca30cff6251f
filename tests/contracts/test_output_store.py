"""What every store of whole tool outputs promises."""

from pathlib import Path

import pytest

from angelia.adapters.file_outputs import FileOutputs
from angelia.adapters.memory.outputs import MemoryOutputs
from angelia.ports import OutputStore


@pytest.fixture(params=["memory", "files"])
def outputs(request: pytest.FixtureRequest, tmp_path: Path) -> OutputStore:
    return MemoryOutputs() if request.param == "memory" else FileOutputs(tmp_path / "outputs")


async def test_an_output_can_be_read_in_pieces(outputs: OutputStore) -> None:
    await outputs.put("run", "call", b"0123456789")
    assert await outputs.get("run", "call", 0, 100) == b"0123456789"
    assert await outputs.get("run", "call", 3, 4) == b"3456"
    assert await outputs.get("run", "call", 8, 100) == b"89"


async def test_behind_the_end_there_is_nothing(outputs: OutputStore) -> None:
    await outputs.put("run", "call", b"0123456789")
    assert await outputs.get("run", "call", 10, 5) == b""
    assert await outputs.get("run", "call", 99, 5) == b""


async def test_an_empty_output_is_not_a_missing_one(outputs: OutputStore) -> None:
    await outputs.put("run", "call", b"")
    assert await outputs.get("run", "call", 0, 5) == b""
    assert await outputs.get("run", "other", 0, 5) is None
    assert await outputs.get("other", "call", 0, 5) is None


async def test_the_last_output_of_a_call_stays(outputs: OutputStore) -> None:
    await outputs.put("run", "call", b"a longer one")
    await outputs.put("run", "call", b"short")
    assert await outputs.get("run", "call", 0, 100) == b"short"


async def test_deleting_a_run_deletes_its_outputs_only(outputs: OutputStore) -> None:
    await outputs.put("run", "one", b"1")
    await outputs.put("run", "two", b"2")
    await outputs.put("other", "one", b"3")
    await outputs.delete("run")
    await outputs.delete("nowhere")
    assert await outputs.get("run", "one", 0, 9) is None
    assert await outputs.get("run", "two", 0, 9) is None
    assert await outputs.get("other", "one", 0, 9) == b"3"


@pytest.mark.parametrize(
    "call_id", ["", ".", "..", "../../etc/passwd", "/etc/passwd", "a/b", "\0", "ä🚀", "x" * 5000]
)
async def test_any_call_id_will_do(outputs: OutputStore, call_id: str) -> None:
    await outputs.put("run", call_id, b"mine")
    await outputs.put("run", "call", b"other")
    assert await outputs.get("run", call_id, 0, 9) == b"mine"
