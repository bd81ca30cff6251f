import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.core.gitignore import Ignored, Rules, ancestors, ignored

LINES = [
    *("a", "/a", "a/", "*.o", "!keep.o", "b/*", "!b/c", "**/x", "a/**", "a/**/x", "?", "[ab]x"),
    *("#a", "", "  ", r"\#a", r"\!a", "a ", "!a", "a/b/c", "doc/*.txt"),
]
parts = st.sampled_from(["a", "b", "c", "x", "ax", "keep.o", "y.o", "doc", "n.txt", "#a", "!a"])
paths = st.lists(parts, min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


@given(lines=st.lists(st.sampled_from(LINES), max_size=5), path=paths)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None
)
def test_git_says_the_same(repository: Path, lines: list[str], path: str) -> None:
    text = "\n".join(lines)
    (repository / ".gitignore").write_text(text)
    command = ["git", "-C", str(repository), "check-ignore", "-q", "--no-index", f"./{path}"]
    git = subprocess.run(command, check=False).returncode == 0
    assert Ignored({"": text})(path, folder=False) == git


def test_deeper_rules_count_more() -> None:
    rules = (Rules("", "*.o"), Rules("src", "!y.o"))
    assert ignored(rules, "y.o", folder=False)
    assert not ignored(rules, "src/y.o", folder=False)
    assert ignored(rules, "srcs/y.o", folder=False)


def test_rules_for_folders_are_for_folders() -> None:
    assert ignored((Rules("", "a/"),), "a", folder=True)
    assert not ignored((Rules("", "a/"),), "a", folder=False)


def test_what_was_asked_for_by_name_is_not_ignored() -> None:
    texts = {"": "build/\n*.o\n"}
    assert Ignored(texts)("build/a.c", folder=False)
    assert not Ignored(texts, "build")("build/a.c", folder=False)
    assert Ignored(texts, "build")("build/a.o", folder=False)


def test_folders_from_the_top_down() -> None:
    assert ancestors("") == [""]
    assert ancestors("a/b") == ["", "a", "a/b"]
