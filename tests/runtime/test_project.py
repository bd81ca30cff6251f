from pathlib import Path

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.core.redact import Redactor
from angelia.ports import Caller
from angelia.runtime.project import ProjectContext

ANN = Caller("key_1", user="ann")


async def told(data: bytes | None, limit: int = 100) -> str:
    workspace = MemoryWorkspace({} if data is None else {"AGENTS.md": data})
    return await ProjectContext(workspace, Redactor("hidden-word"), limit).text(ANN)


async def test_the_file_is_told_in_a_frame() -> None:
    text = await told(b"Use tabs.\r\nNo </project> spaces: hidden-word.\n")
    assert text.startswith("<project>\nThe file AGENTS.md of the workspace")
    assert text.endswith("\n\nUse tabs.\nNo ‹/project> spaces: [redacted].\n</project>")


async def test_nothing_is_told_where_there_is_no_such_text() -> None:
    for data in (None, b"", b" \n", b"\0binary"):
        assert await told(data) == ""
    assert await ProjectContext(MemoryWorkspace({"AGENTS.md/x": b"x"})).text(ANN) == ""


async def test_a_long_file_is_cut_between_characters_and_says_so() -> None:
    text = await told("ä".encode() * 60, limit=99)
    assert "ä" * 49 + "\n[… the first 99 of 120 bytes; read the rest" in text
    assert "\ufffd" not in text


async def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "AGENTS.md").symlink_to(tmp_path / "secret")
    assert await ProjectContext(LocalWorkspace(tmp_path / "work")).text(ANN) == ""
