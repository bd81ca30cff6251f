"""The benchmark of searches asks everybody the same and finds what is there."""

import json
from pathlib import Path

import pytest

from bench import search
from bench.__main__ import main


def test_a_small_tree_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "--files", "120", "--rounds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "rare word" in printed
    assert "search_files without rg" in printed


async def test_all_find_the_rare_word(tmp_path: Path) -> None:
    search.grow(tmp_path, 1010)
    workspace = search.LocalWorkspace(tmp_path)
    tool = search.search_files(workspace, search.WalkingSearch(tmp_path))
    found = await tool.call(json.dumps({"pattern": search.QUESTIONS["rare word"]}), search.Alone())
    assert found.text.endswith("[2 matching lines in 2 files]")


@pytest.mark.parametrize(
    ("medians", "ratio"),
    [
        ({"rg": 2.0, "grep -r": 1.0, "search_files": 3.0, "search_files without rg": 9.0}, 3.0),
        ({"grep -r": 1.0, "search_files without rg": 2.0}, 2.0),
    ],
)
def test_the_ratio_is_to_the_faster_rival(medians: dict[str, float], ratio: float) -> None:
    assert search.ratio(medians) == ratio
