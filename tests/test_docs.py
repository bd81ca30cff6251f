"""The documentation is true: its commands run, its links lead somewhere, it leaves nothing out.

A block marked `bash` is executed against a server with the demo model, in the order of the page,
in one shell; `<!-- expect: text -->` behind it is what its output must contain. A block marked
`console` cannot run here; the make targets and commands it names must exist.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import typer

from angelia import __version__, config
from angelia.__main__ import Program
from angelia.config.quirks import QUIRKS
from angelia.surfaces.cli.app import build
from angelia.surfaces.http.app import ROUTES
from angelia.surfaces.upstream.script import Fault, Script, Step, parse
from tests.support.server import AngeliaServer

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
WRITTEN = [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *(ROOT / "decisions").glob("*.md")]

ADDRESS = "http://127.0.0.1:8642"
MARK = "@@ end of block @@"
_BLOCK = re.compile(
    r"^```(\w+)\n(.*?)^```\n((?:<!-- expect: .*? -->\n)*)", re.DOTALL | re.MULTILINE
)
_EXPECT = re.compile(r"<!-- expect: (.*?) -->")


class Block(msgspec.Struct, frozen=True):
    language: str
    text: str
    expected: tuple[str, ...]


def blocks(page: Path, language: str) -> list[Block]:
    found = (
        Block(match[1], match[2], tuple(_EXPECT.findall(match[3])))
        for match in _BLOCK.finditer(page.read_text())
    )
    return [block for block in found if block.language == language]


def having(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def name(page: Path) -> str:
    return page.name


# ── what runs ───────────────────────────────────────────────────────────────────────────────


def run_page(page: Path, server: AngeliaServer, folder: Path) -> list[str]:
    """What each block printed, on either stream."""
    script = "set -euo pipefail\n"
    for block in blocks(page, "bash"):
        script += block.text.replace(ADDRESS, server.url) + f"\nprintf '\\n{MARK}\\n'\n"
    bin_folder = Path(sys.executable).parent
    ran = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**server.env, "PATH": f"{bin_folder}:{server.env['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=180,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout.split(MARK)


@pytest.mark.parametrize("page", having("bash"), ids=name)
def test_commands_do_what_the_page_says(
    page: Path, demo_server: AngeliaServer, tmp_path: Path
) -> None:
    outputs = run_page(page, demo_server, tmp_path)
    for block, output in zip(blocks(page, "bash"), outputs, strict=False):
        for text in block.expected:
            assert text in output, f"{block.text}\nprinted\n{output}"


@pytest.mark.parametrize("page", having("bash"), ids=name)
def test_every_command_that_runs_says_what_to_expect(page: Path) -> None:
    assert [block.text for block in blocks(page, "bash") if not block.expected] == []


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def commands() -> dict[str, set[str]]:
    """Every command of the program with its options."""
    root = typer.main.get_command(build(Program()))
    return {name: options(command) for name, command in inner(root).items()}


def inner(command: Any) -> dict[str, Any]:
    """The commands of a group; none of one that is no group."""
    return getattr(command, "commands", {})


def options(command: Any) -> set[str]:
    """With those of the commands of a group, which share a section."""
    own = {option for parameter in command.params for option in parameter.opts}
    return own.union(*map(options, inner(command).values()))


@pytest.mark.parametrize("page", having("console"), ids=name)
def test_commands_that_cannot_run_here_exist(page: Path) -> None:
    known = commands()
    for block in blocks(page, "console"):
        for line in block.text.splitlines():
            assert line.startswith("$ "), line
            words = line.removeprefix("$ ").split()
            match words:
                case ["make", target, *_]:
                    assert target in make_targets()
                case ["angelia", command, *rest]:
                    options = {word for word in rest if word.startswith("--")}
                    assert options <= known[command]
                case ["scripts/demo-home", _]:
                    assert (ROOT / words[0]).is_file()
                case ["export", *_]:
                    pass
                case _:
                    pytest.fail(f"nobody checks: {line}")


def test_the_script_on_the_upstream_page_can_be_played() -> None:
    scripts = blocks(DOCS / "upstream.md", "json")
    assert [len(parse(script.text.encode()).steps) for script in scripts] == [2]


def test_the_settings_file_on_the_page_is_what_holds_without_one() -> None:
    (file,) = blocks(DOCS / "configuration.md", "toml")
    assert config.settle(file.text, {}, Path("/home")) == config.settle("", {}, Path("/home"))


KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "POOL_KEY_1", "POOL_KEY_2")


@pytest.mark.parametrize("example", blocks(DOCS / "models.md", "toml"))
def test_the_settings_on_the_page_about_models_are_in_order(example: Block) -> None:
    settings = config.settle(example.text, dict.fromkeys(KEYS, "k"), Path("/home"))
    assert settings.chain


@pytest.mark.parametrize("kind", QUIRKS.values())
def test_every_quirk_is_documented(kind: type[msgspec.Struct]) -> None:
    assert set(kind.__struct_fields__) - in_code(DOCS / "models.md") == set()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_in_python_are_python(page: Path) -> None:
    for block in blocks(page, "python"):
        compile(block.text, str(page), "exec")


# ── nothing is left out ─────────────────────────────────────────────────────────────────────


def in_code(page: Path) -> set[str]:
    """Every word that stands in code marks, or in a block."""
    text = page.read_text()
    marked = re.findall(r"`([^`\n]+)`", text) + re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    return {word for piece in marked for word in re.findall(r"[\w./{}-]+", piece)}


def settings() -> Iterator[str]:
    for section in msgspec.structs.fields(config.File):
        for setting in msgspec.structs.fields(kind_of(section.type)):
            yield f"{section.name}.{setting.name}"


def kind_of(section: type) -> type[msgspec.Struct]:
    """What a section holds, or each entry of a section that is a table of them."""
    return section if isinstance(section, type(msgspec.Struct)) else get_args(section)[1]


@pytest.mark.parametrize("setting", list(settings()))
def test_every_setting_is_documented(setting: str) -> None:
    (block,) = blocks(DOCS / "configuration.md", "toml")
    section, _, key = setting.partition(".")
    lines = re.search(
        rf"^\[{section}\](?: *#[^\n]*)?\n(.*?)(?=^\[\w+\]|\Z)", block.text, re.DOTALL | re.MULTILINE
    )
    assert lines
    table = rf"^(# )?\[{section}\.([\w-]+\.)?{key}\]"
    assert re.search(rf"^(# )?{key} =|{table}", lines[1], re.MULTILINE)


def test_every_variable_is_documented() -> None:
    source = "".join(path.read_text() for path in Path(config.__file__).parent.glob("*.py"))
    variables = set(re.findall(r"\b[A-Z]+_[A-Z_]*(?:KEY|URL|HOME)\b|\bANGELIA_[A-Z_]+\b", source))
    variables = {v for v in variables if v.startswith("ANGELIA_") or v.endswith("_API_KEY")}
    assert len(variables) > 10
    assert variables - in_code(DOCS / "configuration.md") == set()


@pytest.mark.parametrize("command", list(commands()))
def test_every_command_and_option_is_documented(command: str) -> None:
    text = (DOCS / "cli.md").read_text()
    section = re.search(rf"^## angelia {command}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert section
    options = {option for option in commands()[command] if option.startswith("--")}
    assert {option for option in options - {"--help"} if f"`{option}`" not in section[1]} == set()


@pytest.mark.parametrize("path", sorted({route.path for route in ROUTES}))
def test_every_route_is_documented(path: str) -> None:
    wanted = re.sub(r"\{(\w+):\w+\}", r"{\1}", path)
    pattern = re.escape(wanted).replace(r"\{run_id\}", r"(\{run_id\}|\$\w+)")
    text = "\n".join(page.read_text() for page in PAGES)
    assert re.search(rf"{pattern}(?![\w/])", text), wanted


@pytest.mark.parametrize("part", [Script, Step, Fault])
def test_every_field_of_a_script_is_documented(part: type[msgspec.Struct]) -> None:
    assert set(part.__struct_fields__) - in_code(DOCS / "upstream.md") == set()


def test_every_page_is_linked_from_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    assert [page.name for page in DOCS.glob("*.md") if f"(docs/{page.name})" not in text] == []


def test_every_link_leads_somewhere() -> None:
    links = [
        (page, target)
        for page in WRITTEN
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
        if "://" not in target
    ]
    assert links
    assert [(p.name, target) for p, target in links if not (p.parent / target).exists()] == []


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text()
