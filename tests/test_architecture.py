"""The rules of the tree: who may import whom, what may stand where, how long things may get."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src" / "angelia"
MODULES = sorted(SRC.rglob("*.py"))

LONGEST_FUNCTION = 60
LONGEST_FILE = 500
MAY_IMPORT_LATE = ("adapters/", "surfaces/", "__main__.py")
# A task that hosts a run, and a tool of a third party: neither may take anything else with it.
# So it is with a connection to somebody else's MCP server.
MAY_CATCH_ALL = (
    "adapters/mcp/connection.py",
    "runtime/stage.py",
    "runtime/toolbox.py",
    "surfaces/http/app.py",
    "tools/__init__.py",
)
VAGUE = {"manager", "helper", "util", "utils", "handler", "processor", "base", "common", "misc"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def where(path: Path) -> str:
    return path.relative_to(SRC).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, Function))


def is_broad(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(map(is_broad, caught.elts))
    return caught is None or (
        isinstance(caught, ast.Name) and caught.id in ("Exception", "BaseException")
    )


def test_imports_keep_to_the_contracts() -> None:
    command = [Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_imports_inside_functions_are_lazy_imports_at_the_edge() -> None:
    late = [
        f"{where(path)}:{node.lineno}"
        for path in MODULES
        if not where(path).startswith(MAY_IMPORT_LATE)
        for function in functions(path)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert late == []


def test_core_and_wire_never_await() -> None:
    waiting = [
        f"{where(path)}:{node.lineno}"
        for path in MODULES
        if where(path).startswith(("core/", "wire/"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
    ]
    assert waiting == []


def test_every_module_says_what_it_is() -> None:
    assert [where(path) for path in MODULES if not ast.get_docstring(tree(path))] == []


def test_functions_stay_short() -> None:
    long = [
        f"{where(path)}:{function.lineno} {function.name}: {length} lines"
        for path in MODULES
        for function in functions(path)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []


def test_files_stay_short() -> None:
    lengths = {where(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_everything_is_caught_in_the_named_places_only() -> None:
    broad = {
        where(path)
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and is_broad(node.type)
    }
    assert broad <= set(MAY_CATCH_ALL)


def test_no_module_has_a_name_that_says_nothing() -> None:
    parts = {part for path in MODULES for part in where(path).removesuffix(".py").split("/")}
    assert {part for part in parts if VAGUE & set(part.split("_"))} == set()


# ── the listing ─────────────────────────────────────────────────────────────────────────────


def listing() -> str:
    """The tree drawn in ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    drawn = re.search(r"```\nsrc/angelia/\n(.*?)```", text, re.DOTALL)
    assert drawn, "ARCHITECTURE.md draws no tree of src/angelia/"
    return drawn.group(1)


def packages(parent: Path) -> list[Path]:
    return sorted(init.parent for init in parent.glob("*/__init__.py"))


def named() -> list[str]:
    """Every module and package at the top, and the packages inside those."""
    top = [path.name for path in SRC.glob("*.py") if path.name != "__init__.py"]
    outer = packages(SRC)
    inner = [package for parent in outer for package in packages(parent)]
    return sorted([*top, *(f"{package.name}/" for package in (*outer, *inner))])


@pytest.mark.parametrize("name", named())
def test_the_listing_names_what_exists(name: str) -> None:
    assert re.search(rf"(?<![\w/]){re.escape(name)}(?!\w)", listing())


def test_the_listing_names_nothing_that_does_not_exist() -> None:
    exists = {path.name for path in MODULES} | {f"{path.parent.name}/" for path in MODULES}
    drawn = re.findall(r"(?<![\w.])(\w+\.py|\w+/)(?=\s|$)", listing())
    assert drawn
    assert set(drawn) - exists == set()
