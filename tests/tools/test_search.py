import json

import pytest

from angelia.adapters.memory.file_search import MemorySearch
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.errors import ToolError
from angelia.ports import FileHit, FileHits, FileQuery
from angelia.tools.search import report, search_files
from tests.tools.watching import Watcher

FILES = {
    "a.py": b"one\nneedle\nthree\nfour\nneedle\n",
    "src/b.py": b"needle here\n",
    "c.txt": b"nothing\n",
}


async def ask(**arguments: object) -> str:
    workspace = MemoryWorkspace(FILES)
    tool = search_files(workspace, MemorySearch(workspace))
    return (await tool.call(json.dumps(arguments), Watcher())).text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            {"pattern": "needle"},
            "a.py\n  2: needle\n  5: needle\nsrc/b.py\n  1: needle here\n"
            "[3 matching lines in 2 files]",
        ),
        (
            {"pattern": "needle", "path": "a.py", "context": 1},
            "a.py\n  1- one\n  2: needle\n  3- three\n  4- four\n  5: needle\n"
            "[2 matching lines in 1 file]",
        ),
        ({"pattern": "needle", "mode": "files"}, "a.py\nsrc/b.py\n[2 files]"),
        (
            {"pattern": "needle", "mode": "count"},
            "a.py: 2\nsrc/b.py: 1\n[2 files with 3 matching lines]",
        ),
        ({"glob": "*.py"}, "a.py\nsrc/b.py\n[2 files]"),
        ({"glob": "*.txt", "pattern": "no"}, "c.txt\n  1: nothing\n[1 matching line in 1 file]"),
        (
            {"pattern": "needle", "limit": 1},
            "a.py\n  2: needle\n[1 of 3 matching lines in 2 files; name a folder with 'path' or "
            "files with 'glob', or raise 'limit']",
        ),
        ({"pattern": "zzz"}, "[nothing found; hidden files and what .gitignore names left out]"),
        ({"pattern": "zzz", "hidden": True, "ignored": True}, "[nothing found]"),
    ],
)
async def test_what_is_found_is_told(arguments: dict[str, object], text: str) -> None:
    assert await ask(**arguments) == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Give a 'pattern' to search for, or a 'glob'"),
        ({"pattern": "a\nb"}, "'pattern' has a character"),
        ({"glob": "a\0b"}, "'glob' has a character"),
        ({"pattern": "("}, "'pattern' is not a regular expression"),
        ({"glob": "{a"}, "The glob"),
        ({"pattern": "a", "path": "nowhere"}, "There is no 'nowhere'"),
        ({"pattern": "a", "path": "../x"}, "leads out of the workspace"),
        ({"pattern": "a", "context": 11}, "'context'"),
    ],
)
async def test_what_cannot_be_searched_is_refused(
    arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(ToolError) as caught:
        await ask(**arguments)
    assert message in str(caught.value)


def test_a_search_that_was_ended_early_says_so() -> None:
    found = FileHits(tuple(FileHit(f"{n}", 1, "x") for n in range(300)), more=True)
    text = report(found, FileQuery("x"), 2)
    assert text.startswith("0\n  1: x\n1\n  1: x\n[2 of more than 300 matching lines")


def test_the_model_is_told_which_expressions_hold() -> None:
    workspace = MemoryWorkspace()
    tool = search_files(workspace, MemorySearch(workspace))
    assert "Python's `re`" in tool.spec.description
    assert tool.spec.effect == "pure"
    assert tool.lane('{"pattern": "x"}') is None
