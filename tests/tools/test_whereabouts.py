import pytest

from angelia.adapters.memory.folders import MemoryFolders
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.errors import ToolError
from angelia.ports import Caller
from angelia.tools.whereabouts import Start, Whereabouts

CALLER = Caller("key_1", "s")
WORKSPACE = MemoryWorkspace({"src/lib/a": b"", "odd\nname/b": b"", "file": b""})


@pytest.fixture
def whereabouts() -> Whereabouts:
    return Whereabouts(MemoryFolders(), WORKSPACE)


async def test_at_first_a_session_is_in_the_workspace_itself(whereabouts: Whereabouts):
    assert await whereabouts.start(CALLER, None) == Start(".")
    assert await whereabouts.end(CALLER, ".", None) == ""
    assert await whereabouts.end(CALLER, ".", ".") == ""


async def test_a_folder_has_one_spelling(whereabouts: Whereabouts):
    assert await whereabouts.start(CALLER, "src//lib/../lib/") == Start("src/lib")
    assert await whereabouts.end(CALLER, "src/lib", "src/./lib/") == ""
    assert await whereabouts.end(CALLER, ".", "src/./lib/") == "[folder: src/lib]"


@pytest.mark.parametrize("folder", ["file", "nowhere", "..", "/etc", "a\0b"])
async def test_what_is_no_folder_of_the_workspace_is_refused(whereabouts, folder: str):
    with pytest.raises(ToolError):
        await whereabouts.start(CALLER, folder)


async def test_a_name_with_a_line_break_stays_on_one_line(whereabouts: Whereabouts):
    assert await whereabouts.end(CALLER, ".", "odd\nname") == r"[folder: 'odd\nname']"
    assert await whereabouts.start(CALLER, None) == Start("odd\nname")


async def test_a_folder_that_is_gone_is_told_of_once(whereabouts: Whereabouts):
    await whereabouts.end(CALLER, ".", "gone")
    start = await whereabouts.start(CALLER, None)
    assert start.folder == "."
    assert "'gone' is gone" in start.note
    assert await whereabouts.start(CALLER, None) == Start(".")
