"""Which sandbox the settings amount to on a machine."""

from pathlib import Path

import pytest

from angelia.adapters import bubblewrap
from angelia.adapters.bubblewrap import Bubblewrap
from angelia.assembly.sandbox import sandbox_found, sandbox_of
from angelia.assembly.services import open_services
from angelia.config import Settings, load
from angelia.errors import ToolError
from angelia.ports import Command
from tests.support.commands import run
from tests.support.sandboxes import bubblewrapped


def settings(home: Path, sandbox: str, text: str = "") -> Settings:
    home.mkdir(exist_ok=True)
    (home / "angelia.toml").write_text(text)
    return load({"ANGELIA_SANDBOX": sandbox, "ANGELIA_LOG": "error"}, home=home)


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without bubblewrap."""
    monkeypatch.setenv("PATH", "/nowhere")


@pytest.mark.parametrize("asked", ["auto", "bubblewrap"])
async def test_bubblewrap_is_used_where_it_works(tmp_path: Path, asked: str):
    await bubblewrapped(tmp_path / "w", tmp_path / "h").close()
    sandbox = sandbox_of(settings(tmp_path / "home", asked))
    assert (sandbox.level, sandbox.reason) == ("bubblewrap", "")
    assert (await run(sandbox, "echo on")).stdout == b"on\n"
    await sandbox.close()


@pytest.mark.usefixtures("missing")
@pytest.mark.parametrize("asked", ["auto", "bubblewrap"])
async def test_without_a_sandbox_the_server_starts_and_refuses_commands(tmp_path: Path, asked: str):
    given = settings(tmp_path / "home", asked)
    async with open_services(given) as services:
        assert services.sandbox_level == "unavailable"
        assert "bubblewrap is not installed" in services.sandbox_reason
    sandbox = sandbox_of(given)
    with pytest.raises(ToolError, match="bubblewrap is not installed"):
        await sandbox.start(Command("true"))


async def test_one_that_fails_when_it_is_tried_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho '--size'; echo 'no namespaces' >&2; exit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    sandbox = sandbox_of(settings(tmp_path / "home", "auto"))
    assert sandbox.level == "unavailable"
    assert "no namespaces" in sandbox.reason


async def test_none_is_plain_processes(tmp_path: Path):
    sandbox = sandbox_of(settings(tmp_path / "home", "none"))
    assert sandbox.level == "none"
    assert (await run(sandbox, "echo on")).stdout == b"on\n"


async def test_limits_come_from_the_settings(tmp_path: Path):
    text = "[tools]\nmemory_limit = 100\nprocess_limit = 9\ndisk_limit = 3\nreadable = ['~/x']\n"
    sandbox = sandbox_of(settings(tmp_path / "home", "auto", text))
    if not isinstance(sandbox, Bubblewrap):
        pytest.skip(f"NO SANDBOX: {sandbox.reason}")
    mib = bubblewrap.MIB
    assert sandbox._limits == bubblewrap.Limits(100 * mib, 9, 3 * mib)
    assert sandbox._place.readable == (Path("~/x").expanduser(), tmp_path / "home" / "skills")
    await sandbox.close()


async def test_looking_for_a_sandbox_leaves_the_home_folder_alone(tmp_path: Path):
    given = load({"ANGELIA_SANDBOX": "auto"}, home=tmp_path / "home")
    level, reason = await sandbox_found(given)
    assert (level == "unavailable") == bool(reason)
    assert not (tmp_path / "home").exists()
    assert await sandbox_found(settings(tmp_path / "other", "none")) == ("none", "")
