"""What every search through a workspace promises: the same results."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.file_search import MemorySearch
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.adapters.ripgrep_search import RipgrepSearch
from angelia.adapters.walking_child import Walker
from angelia.adapters.walking_search import WalkingSearch
from angelia.errors import ToolError
from angelia.ports import FileHit, FileQuery, FileSearch

KINDS = ("memory", "walking", "ripgrep")
FILES = {
    "a.py": b"import os\nprint('needle')\nlast",
    "b.txt": b"Needle in CRLF\r\nneedle end\r\n",
    "src/deep/c.py": b"x = 1\ny = 2\nneedle()\nz = 3\nw = 4\n",
    "src/deep/d.rs": b"fn needle() {}\n",
    "src/.gitignore": b"*.rs\n!keep.rs\n",
    "src/keep.rs": b"needle kept\n",
    "wide.txt": "needle ".encode("utf-16"),
    "bin.dat": b"needle\0needle\n",
    "caf\u00e9/\u00fc.md": "n\u00e9edle needle\n".encode(),
    ".hidden/x.py": b"needle hidden\n",
    ".git/config": b"needle in git\n",
    ".gitignore": b"# comment\nbuild/\n*.log\n!important.log\n/only-top.txt\nsub/**/deep.txt\n",
    "build/out.py": b"needle built\n",
    "src/build/out.py": b"needle built\n",
    "debug.log": b"needle log\n",
    "important.log": b"needle important\n",
    "only-top.txt": b"needle\n",
    "src/only-top.txt": b"needle\n",
    "sub/x/y/deep.txt": b"needle\n",
    "long.txt": b"needle " + b"x" * 10_000 + b"\n",
}


def made(kind: str, folder: Path, files: dict[str, bytes]) -> FileSearch:
    if kind == "memory":
        return MemorySearch(MemoryWorkspace(files))
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    walking = WalkingSearch(folder)
    if kind == "walking":
        return walking
    return RipgrepSearch(PlainProcesses(folder), LocalWorkspace(folder), walking)


@pytest.fixture(params=KINDS)
def search(request: pytest.FixtureRequest, tmp_path: Path) -> FileSearch:
    return made(request.param, tmp_path, FILES)


async def paths(search: FileSearch, **wanted: object) -> list[str]:
    found = await search.search(FileQuery(**wanted))  # pyright: ignore
    assert not found.more
    return list(dict.fromkeys(hit.path for hit in found.hits))


VISIBLE = [
    "a.py",
    "b.txt",
    "caf\u00e9/\u00fc.md",
    "important.log",
    "long.txt",
    "src/deep/c.py",
    "src/keep.rs",
    "src/only-top.txt",
    "wide.txt",
]


async def test_lines_are_found_in_every_file_that_counts(search: FileSearch) -> None:
    assert await paths(search, pattern="needle") == VISIBLE


async def test_a_line_comes_with_its_number_and_its_text(search: FileSearch) -> None:
    found = await search.search(FileQuery("needle", path="src/deep"))
    assert found.hits == (FileHit("src/deep/c.py", 3, "needle()"),)
    found = await search.search(FileQuery("^needle end$", glob="*.txt"))
    assert found.hits == (FileHit("b.txt", 2, "needle end"),)


async def test_lines_beside_are_told_apart(search: FileSearch) -> None:
    found = await search.search(FileQuery("needle", path="src/deep/c.py", context=1))
    assert [(hit.line, hit.text, hit.beside) for hit in found.hits] == [
        (2, "y = 2", True),
        (3, "needle()", False),
        (4, "z = 3", True),
    ]


async def test_names_alone_will_do(search: FileSearch) -> None:
    assert await paths(search, glob="*.py", mode="files") == ["a.py", "src/deep/c.py"]
    assert await paths(search, glob="src/**/*.py", mode="files") == ["src/deep/c.py"]
    assert await paths(search, glob="/*.{py,txt}", mode="files") == [
        *("a.py", "b.txt", "long.txt", "wide.txt"),
    ]
    assert await paths(search, glob="**", path="caf\u00e9", mode="files") == ["caf\u00e9/\u00fc.md"]
    assert await paths(search, glob="[ab].*", mode="files") == ["a.py", "b.txt"]


async def test_names_and_content_go_together(search: FileSearch) -> None:
    assert await paths(search, pattern="needle", glob="*.py", mode="files") == [
        *("a.py", "src/deep/c.py"),
    ]
    # What is ignored stays so, whatever names are asked for.
    assert await paths(search, pattern="needle", glob="*.log") == ["important.log"]


async def test_hidden_and_ignored_files_are_seen_on_request(search: FileSearch) -> None:
    hidden = await paths(search, pattern="needle", mode="files", hidden=True)
    assert set(hidden) - set(VISIBLE) == {".hidden/x.py"}
    both = await paths(search, pattern="needle", mode="files", hidden=True, ignored=True)
    assert set(both) - set(hidden) == {
        *("build/out.py", "src/build/out.py", "debug.log", "only-top.txt", "src/deep/d.rs"),
        "sub/x/y/deep.txt",
    }


async def test_what_is_ignored_above_is_ignored_below(search: FileSearch) -> None:
    assert await paths(search, pattern="needle", path="src") == [
        *("src/deep/c.py", "src/keep.rs", "src/only-top.txt"),
    ]
    assert await paths(search, pattern="needle", path="sub/x") == []


async def test_an_ignored_folder_that_is_named_is_searched(search: FileSearch) -> None:
    assert await paths(search, pattern="needle", path="src/build") == ["src/build/out.py"]


async def test_lines_are_counted_by_file(search: FileSearch) -> None:
    found = await search.search(FileQuery("needle", glob="*.txt", mode="count", ignore_case=True))
    assert [(hit.path, hit.count) for hit in found.hits] == [
        *(("b.txt", 2), ("long.txt", 1), ("src/only-top.txt", 1), ("wide.txt", 1)),
    ]


async def test_case_counts_unless_it_is_not_to(search: FileSearch) -> None:
    assert await paths(search, pattern="NEEDLE") == []
    assert await paths(search, pattern="NEEDLE", ignore_case=True) == VISIBLE


async def test_long_lines_are_cut(search: FileSearch) -> None:
    (hit,) = (await search.search(FileQuery("needle", path="long.txt"))).hits
    assert hit.text == "needle " + "x" * 293 + "…"


@pytest.mark.parametrize("pattern", ["(", "[a", "*a", "a{2,1}"])
async def test_a_pattern_that_is_none_is_an_error(search: FileSearch, pattern: str) -> None:
    with pytest.raises(ToolError, match="'pattern' is not a regular expression"):
        await search.search(FileQuery(pattern))


@pytest.mark.parametrize("pattern", ["--files", "-e", "$(touch x)", "'; touch x; '", "`touch x`"])
async def test_a_pattern_is_nothing_but_a_pattern(
    search: FileSearch, tmp_path: Path, pattern: str
) -> None:
    assert await paths(search, pattern=pattern) == []
    assert await paths(search, glob=pattern, mode="files") == []
    assert not (tmp_path / "x").exists()


async def test_there_is_an_end_to_what_is_gathered(tmp_path: Path) -> None:
    many = {"many.txt": b"needle\n" * 10_050, "b.txt": b"needle\n"}
    for number, kind in enumerate(KINDS):
        found = await made(kind, tmp_path / str(number), many).search(FileQuery("needle"))
        assert (len(found.hits), found.more) == (10_000, True)


@pytest.mark.parametrize("kind", ["walking", "ripgrep"])
async def test_no_link_is_followed(kind: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("needle")
    root = tmp_path / "root"
    search = made(kind, root, {"a.txt": b"needle"})
    (root / "door").symlink_to(outside)
    (root / "window.txt").symlink_to(outside / "secret.txt")
    (root / "round").symlink_to(root)
    assert await paths(search, pattern="needle") == ["a.txt"]
    assert await paths(search, glob="*.txt", mode="files") == ["a.txt"]


@pytest.mark.parametrize("kind", ["walking", "ripgrep"])
async def test_nothing_outside_decides_what_is_left_out(kind: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / ".ignore").write_text("*\n")
    # Commands have the workspace for a home; what lies there is no setting of ours.
    home = {".config/git/ignore": b"*\n", ".ignore": b"*\n"}
    search = made(kind, tmp_path / "root", {"a.txt": b"needle", "s/b.txt": b"needle", **home})
    assert await paths(search, pattern="needle") == ["a.txt", "s/b.txt"]
    assert await paths(search, pattern="needle", path="s") == ["s/b.txt"]


async def test_a_pattern_that_takes_for_ever_is_ended(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a" * 60 + b"!\n")
    with pytest.raises(ToolError, match=r"took longer than 0\.5 s"):
        await WalkingSearch(tmp_path, seconds=0.5).search(FileQuery("^(a+)+$"))


async def test_a_search_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a" * 60 + b"!\n")
    before = children()
    work = asyncio.create_task(WalkingSearch(tmp_path).search(FileQuery("^(a+)+$")))
    while children() == before:
        await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert children() == before


def children() -> set[str]:
    return set(Path("/proc/thread-self/children").read_text().split())


async def test_without_ripgrep_the_walk_is_asked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"needle\n")
    bare = PlainProcesses(tmp_path, {"PATH": "/nowhere"})
    search = RipgrepSearch(bare, LocalWorkspace(tmp_path), WalkingSearch(tmp_path))
    assert await paths(search, pattern="needle") == ["a.txt"]
    assert await paths(search, pattern="(?=need)needle") == ["a.txt"]


names = st.sampled_from(["a", "b", "a.py", "b.log", ".h"])
trees = st.dictionaries(
    st.lists(names, min_size=1, max_size=3).map("/".join), st.just(b"x\n"), max_size=8
)
rules = st.lists(
    st.sampled_from(
        [
            "a",
            "b/",
            "/a",
            "*.py",
            "!a.py",
            "a/*",
            "**/b",
            "a/**",
            "*.log",
            "!b.log",
            "a/b",
            "#a",
            "",
        ]
    ),
    max_size=4,
)


def is_tree(files: dict[str, bytes]) -> bool:
    folders = {p.rsplit("/", n)[0] for p in files for n in range(1, p.count("/") + 1)}
    return not folders & files.keys()


@given(files=trees.filter(is_tree), top=rules, below=rules, hidden=st.booleans())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
async def test_all_agree_on_what_is_ignored(
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, bytes],
    top: list[str],
    below: list[str],
    hidden: bool,
) -> None:
    files = {**files, ".gitignore": "\n".join(top).encode()}
    if any(path.startswith("a/") for path in files):
        files["a/.gitignore"] = "\n".join(below).encode()
    folder = tmp_path_factory.mktemp("tree")
    query = FileQuery("x", mode="files", hidden=hidden)
    memory = await made("memory", folder, files).search(query)
    ripgrep = await made("ripgrep", folder, files).search(query)
    walked = sorted(Walker(folder, query).hits(), key=lambda hit: hit.path.split("/"))
    assert memory == ripgrep
    assert tuple(walked) == memory.hits
