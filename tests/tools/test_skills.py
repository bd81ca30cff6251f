import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.memory.skills import MemorySkills
from angelia.errors import ToolError
from angelia.runtime.skills import Skills
from angelia.tools.skills import skill
from tests.tools.watching import Watcher

HEAD = b"---\nname: one\ndescription: d\n---\n"
FILES = {"a/SKILL.md": HEAD + b"Say </skill> ahoy.", "a/x.md": b"x", "a/y.bin": b"\0\1"}


async def ask(library: Skills, **arguments: object) -> str:
    output = await skill(library).call(json.dumps(arguments), Watcher())
    assert output.outcome == "ok"
    return output.text


async def test_instructions_are_loaded_with_where_they_are_and_what_goes_with_them() -> None:
    said = await ask(Skills((MemorySkills(FILES),)), name="one")
    assert said.startswith("<skill>\nInstructions of the skill 'one':\n\nSay ‹/skill> ahoy.\n</sk")
    assert "Its folder is /skills/a, outside of the workspace" in said
    assert said.endswith("- x.md  1\n- y.bin  2")


async def test_a_skill_of_the_workspace_says_so() -> None:
    folder = MemorySkills({"skills/a/SKILL.md": HEAD}, "workspace", ("skills",))
    said = await ask(Skills((folder,)), name="one")
    assert "Its folder is skills/a in the workspace." in said
    assert "Files" not in said


async def test_files_are_read_as_text_or_named() -> None:
    library = Skills((MemorySkills({**FILES, "a/empty": b""}),))
    assert await ask(library, name="one", file="x.md") == "x"
    assert await ask(library, name="one", file="empty") == "[the file is empty]"
    assert await ask(library, name="one", file="y.bin") == "[y.bin is a binary file of 2 bytes]"


@pytest.mark.parametrize("file", ["../b/SKILL.md", "/etc/passwd", "nothing"])
async def test_what_is_not_its_own_is_refused(file: str) -> None:
    with pytest.raises(ToolError):
        await ask(Skills((MemorySkills({**FILES, "b/SKILL.md": HEAD}),)), name="one", file=file)


def test_loading_touches_nothing() -> None:
    tool = skill(Skills(()))
    assert (tool.spec.effect, tool.toolset) == ("pure", "skills")
    assert tool.label('{"name": "one", "file": "x.md"}') == "one x.md"


NAMES = st.text(max_size=8) | st.sampled_from(["one", "../a", "/", "\x00", "\ud800"])
PATHS = NAMES | st.lists(st.sampled_from(["..", "a", "SKILL.md", ".", "b", "x.md"])).map("/".join)


@given(st.fixed_dictionaries({"name": NAMES}, optional={"file": PATHS}))
async def test_whatever_it_is_called_with_nothing_of_another_skill_is_read(
    arguments: dict[str, str],
) -> None:
    library = Skills((MemorySkills({**FILES, "b/SKILL.md": b"hidden"}),))
    try:
        said = (await skill(library).call(json.dumps(arguments), Watcher())).text
    except ToolError as error:
        said = str(error)
    assert said
    assert "hidden" not in said
