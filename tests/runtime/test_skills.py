import logging

import pytest

from angelia.adapters.memory.skills import MemorySkills
from angelia.errors import ToolError
from angelia.ports import Caller
from angelia.ports.skills import Fault
from angelia.runtime.skills import LONGEST_FILE, Skills


def text(name: str, description: str = "d", body: str = "Do it.") -> bytes:
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}".encode()


class Counting(MemorySkills):
    reads = 0

    async def read(self, path: str) -> bytes:
        self.reads += 1
        return await super().read(path)


def both(home: dict[str, bytes], workspace: dict[str, bytes]) -> Skills:
    return Skills((MemorySkills(home), MemorySkills(workspace, "workspace", ("skills", "more"))))


async def test_skills_of_all_folders_are_told_by_name() -> None:
    skills = both({"b/SKILL.md": text("beta")}, {"skills/a/SKILL.md": text("alpha", "first")})
    told = await skills.text(Caller("key_1"))
    assert "\n- alpha (workspace): first\n- beta: d\n" in told
    assert await skills.text(Caller("key_2", user="ann")) == told
    assert await both({}, {}).text(Caller("key_1")) == ""


async def test_the_home_folder_wins_and_the_other_is_named() -> None:
    skills = both(
        {"x/SKILL.md": text("same", "mine")},
        {"skills/y/SKILL.md": text("Same", "theirs"), "more/z/SKILL.md": text("same")},
    )
    shelf = await skills.shelf()
    assert [(one.description, one.source) for one in shelf.skills] == [("mine", "home")]
    assert [fault.folder for fault in shelf.faults] == ["skills/y", "more/z"]
    assert "taken by x (home)" in shelf.faults[0].reason
    assert (await skills.load("SAME")).skill.description == "mine"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"nothing", "the file does not begin with a line ---"),
        (b"---\nname: x\n---\n\xff", "SKILL.md is not UTF-8 text"),
        (text("x") + b" " * LONGEST_FILE, "SKILL.md is larger than 262,144 bytes"),
    ],
)
async def test_a_broken_skill_is_left_out_and_logged_once(
    data: bytes, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    skills = both({"a/SKILL.md": data, "b/SKILL.md": text("good")}, {})
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            shelf = await skills.shelf()
    assert [one.name for one in shelf.skills] == ["good"]
    assert shelf.faults == (Fault("home", "a", reason),)
    assert [record.getMessage() for record in caplog.records] == [
        f"skill a (home) is left out: {reason}"
    ]


async def test_a_file_is_read_again_only_when_it_has_changed() -> None:
    folder = Counting({"a/SKILL.md": text("one")})
    skills = Skills((folder,))
    await skills.shelf()
    await skills.shelf()
    assert folder.reads == 1
    folder.workspace.files["a/SKILL.md"] = text("two")
    folder.workspace.files["b/SKILL.md"] = text("three")
    assert [one.name for one in (await skills.shelf()).skills] == ["three", "two"]
    assert folder.reads == 3
    folder.workspace.files.clear()
    assert (await skills.shelf()).skills == ()


async def test_a_loaded_skill_names_its_files_and_its_place() -> None:
    files = {"a/SKILL.md": text("one"), "a/x.md": b"12", "a/scripts/go.py": b"print()"}
    skills = both(files, {"skills/b/SKILL.md": text("two")})
    loaded = await skills.load("one")
    assert (loaded.body, loaded.place) == ("Do it.", "/skills/a")
    assert [(file.path, file.size) for file in loaded.files] == [("scripts/go.py", 7), ("x.md", 2)]
    assert (await skills.load("two")).place == "skills/b"
    assert await skills.read("one", "./scripts/../x.md") == b"12"


async def test_what_is_not_there_is_refused_with_what_is() -> None:
    skills = both({"a/SKILL.md": text("release-notes")}, {})
    with pytest.raises(ToolError, match="Did you mean 'release-notes'"):
        await skills.load("release-note")
    with pytest.raises(ToolError, match="There are: release-notes"):
        await skills.load("zzz")
    with pytest.raises(ToolError, match="There is no"):
        await skills.read("release-notes", "nothing.md")


@pytest.mark.parametrize("path", ["../b/SKILL.md", "/etc/passwd", "x/../../b/SKILL.md", ".."])
async def test_no_path_leads_out_of_a_skill(path: str) -> None:
    skills = both({"a/SKILL.md": text("one"), "b/SKILL.md": text("two")}, {})
    with pytest.raises(ToolError, match="leads out"):
        await skills.read("one", path)
