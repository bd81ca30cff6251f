"""What every folder of skills promises."""

from collections.abc import Callable
from pathlib import Path

import pytest

from angelia.adapters.local_skills import LocalSkills
from angelia.adapters.memory.skills import MemorySkills
from angelia.errors import ToolError
from angelia.ports import SkillFolder

PLACES = ("first", "deep/second")
Put = Callable[[str, str], None]


@pytest.fixture(params=["disk", "memory"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[SkillFolder, Put]:
    if request.param == "memory":
        skills = MemorySkills(source="workspace", places=PLACES)
        return skills, lambda path, text: skills.workspace.files.update({path: text.encode()})

    def put(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    return LocalSkills(tmp_path, "workspace", PLACES), put


async def test_nothing_is_found_where_there_is_nothing(opened: tuple[SkillFolder, Put]) -> None:
    folder, _ = opened
    assert list(await folder.find()) == []
    assert folder.source == "workspace"
    assert folder.place


async def test_folders_with_instructions_are_found_in_order(
    opened: tuple[SkillFolder, Put],
) -> None:
    folder, put = opened
    for path in ("deep/second/a/SKILL.md", "first/c/SKILL.md", "first/b/SKILL.md"):
        put(path, "x")
    for path in ("first/SKILL.md", "first/d/other.md", "first/e/f/SKILL.md", "SKILL.md"):
        put(path, "x")
    found = [entry.folder for entry in await folder.find()]
    assert found == ["first/b", "first/c", "deep/second/a"]


async def test_a_change_is_seen_by_the_stamp(opened: tuple[SkillFolder, Put]) -> None:
    folder, put = opened
    put("first/a/SKILL.md", "one")
    before = await folder.find()
    assert await folder.find() == before
    put("first/a/SKILL.md", "longer")
    assert (await folder.find())[0].stamp != before[0].stamp


async def test_what_belongs_to_a_skill_is_listed_and_read(
    opened: tuple[SkillFolder, Put],
) -> None:
    folder, put = opened
    put("first/a/SKILL.md", "one")
    put("first/a/scripts/go.py", "print()")
    files = await folder.files("first/a")
    assert [file.path for file in files if file.kind == "file"] == [
        "first/a/SKILL.md",
        "first/a/scripts/go.py",
    ]
    assert await folder.read("first/a/scripts/go.py") == b"print()"
    for path in ("../x", "first/a/../../../x", "/etc/passwd"):
        with pytest.raises(ToolError):
            await folder.read(path)
