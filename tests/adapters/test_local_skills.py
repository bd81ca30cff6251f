import os
from pathlib import Path

import pytest

from angelia.adapters.local_skills import LocalSkills
from angelia.errors import ToolError


async def test_skills_may_lie_at_the_top(tmp_path: Path) -> None:
    (tmp_path / "skills" / "a").mkdir(parents=True)
    (tmp_path / "skills" / "a" / "SKILL.md").write_text("x")
    (tmp_path / "skills" / "note.txt").write_text("x")
    folder = LocalSkills(tmp_path / "skills", "home", (".",))
    assert [entry.folder for entry in await folder.find()] == ["a"]
    assert await folder.read("a/SKILL.md") == b"x"


async def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    LocalSkills(tmp_path / "home" / "skills", "home", (".",))
    assert (tmp_path / "home" / "skills").is_dir()


async def test_no_link_leads_out(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "SKILL.md").write_text("x")
    (tmp_path / "skills" / "a").mkdir(parents=True)
    (tmp_path / "skills" / "a" / "SKILL.md").symlink_to(tmp_path / "key")
    (tmp_path / "skills" / "b").symlink_to(tmp_path / "elsewhere")
    folder = LocalSkills(tmp_path / "skills", "home", (".",))
    for entry in await folder.find():
        with pytest.raises(ToolError, match="leads out"):
            await folder.read(f"{entry.folder}/SKILL.md")


async def test_a_name_that_cannot_be_said_is_passed_over(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"\xff")
    odd.mkdir()
    (odd / "SKILL.md").write_text("x")
    assert list(await LocalSkills(tmp_path, "home", (".",)).find()) == []
