"""A package that is built carries the console, and the console is small."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from angelia.surfaces.console.files import STATIC

ROOT = Path(__file__).parent.parent
CONSOLE = "angelia/surfaces/console/static/"
LARGEST = 250_000


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    if not (STATIC / "index.html").is_file():
        pytest.skip("the console is not built: make console")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of all files in a wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    (file,) = folder.glob("*.whl")
    with ZipFile(file) as archive:
        return set(archive.namelist())


def test_a_wheel_carries_the_page_and_all_that_it_loads(wheel: set[str]) -> None:
    built = {f"{CONSOLE}{path.relative_to(STATIC).as_posix()}" for path in _files()}
    assert f"{CONSOLE}index.html" in wheel
    assert any(name.startswith(f"{CONSOLE}assets/") and name.endswith(".js") for name in wheel)
    assert {name for name in wheel if name.startswith(CONSOLE)} == built


def test_what_can_be_compressed_has_its_twins_in_the_wheel(wheel: set[str]) -> None:
    kinds = (".html", ".js", ".css", ".svg")
    files = {name for name in wheel if name.startswith(CONSOLE) and name.endswith(kinds)}
    assert {f"{name}{ending}" for name in files for ending in (".br", ".gz")} <= wheel


def test_all_scripts_together_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in STATIC.rglob("*.js.gz")}
    assert sizes
    assert sum(sizes.values()) < LARGEST, sizes


def _files() -> list[Path]:
    return [path for path in STATIC.rglob("*") if path.is_file()]
