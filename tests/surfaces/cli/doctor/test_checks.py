import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from angelia.assembly.mcp import look_at_mcp
from angelia.config import ConfigError, Settings, load
from angelia.surfaces.cli.doctor.check import Check
from angelia.surfaces.cli.doctor.checks import Probes, examine
from tests.conftest import StartServer
from tests.support.server import AngeliaServer

NOWHERE = "1"


async def probed(settings: Settings) -> tuple[str, str]:
    """A machine without bubblewrap."""
    if settings.tools.sandbox == "none":
        return "none", ""
    return "unavailable", "there is no bwrap"


PROBES = Probes(probed, look_at_mcp)


async def examined(home: Path, **environ: str) -> dict[str, Check]:
    given = {"ANGELIA_PORT": NOWHERE, "ANGELIA_HOME": str(home), **environ}
    try:
        settings = load(given)
    except ConfigError as error:
        settings = error
    return {check.part: check for check in await examine(settings, home, PROBES)}


@asynccontextmanager
async def stranger(answer: bytes) -> AsyncGenerator[str]:
    """The port of something that says only this."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        await writer.drain()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield str(server.sockets[0].getsockname()[1])


async def test_a_fresh_machine_is_in_order(tmp_path: Path) -> None:
    settings = load({"ANGELIA_PORT": NOWHERE, "ANGELIA_HOME": str(tmp_path / "home")})

    async def works(_: Settings) -> tuple[str, str]:
        return "bubblewrap", ""

    checks = {
        c.part: c for c in await examine(settings, tmp_path / "home", Probes(works, look_at_mcp))
    }
    assert {part: check.level for part, check in checks.items()} == {
        "home": "note",
        "settings": "ok",
        "key": "note",
        "server": "note",
        "console": "ok",
        "model": "note",
        "sandbox": "ok",
    }
    assert not (tmp_path / "home").exists()


async def test_a_running_server_is_in_order(demo_server: AngeliaServer) -> None:
    home = Path(demo_server.env["ANGELIA_HOME"])
    checks = {check.part: check for check in await examine(load(demo_server.env), home, PROBES)}
    assert "broken" not in {check.level for check in checks.values()}
    assert checks["server"].found == f"ready at {demo_server.url}"
    assert checks["key"].level == "ok"
    assert demo_server.key not in str(checks)


async def test_a_fault_in_the_settings_is_told_with_its_way_out(tmp_path: Path) -> None:
    (tmp_path / "angelia.toml").write_text("[server]\nprot = 1")
    checks = await examined(tmp_path)
    assert set(checks) == {"home", "settings"}
    assert checks["settings"].level == "broken"
    assert "did you mean 'port'?" in checks["settings"].found


async def test_a_home_that_is_no_folder_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    checks = {
        check.part: check for check in await examine(ConfigError("x"), tmp_path / "file", PROBES)
    }
    assert checks["home"].level == "broken"


@pytest.mark.parametrize(
    ("text", "mode", "level", "advice"),
    [
        ("k" * 20, 0o600, "ok", ""),
        ("k" * 20, 0o644, "broken", "chmod 600"),
        ("", 0o600, "broken", "delete it"),
    ],
)
async def test_the_key_must_be_there_and_private(
    tmp_path: Path, text: str, mode: int, level: str, advice: str
) -> None:
    (tmp_path / "key").write_text(text)
    (tmp_path / "key").chmod(mode)
    found = (await examined(tmp_path))["key"]
    assert (found.level, found.advice[: len(advice)]) == (level, advice)


async def test_an_open_address_needs_a_key_first(tmp_path: Path) -> None:
    assert (await examined(tmp_path, ANGELIA_HOST="0.0.0.0"))["key"].level == "broken"
    chosen = await examined(tmp_path, ANGELIA_HOST="0.0.0.0", ANGELIA_API_KEY="k" * 16)
    assert chosen["key"].level == "note"


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"])
async def test_a_stranger_at_the_port_is_broken(tmp_path: Path, answer: bytes) -> None:
    async with stranger(answer) as port:
        found = (await examined(tmp_path, ANGELIA_PORT=port))["server"]
    assert (found.level, found.advice) == ("broken", "choose another port with ANGELIA_PORT")


async def test_a_server_with_another_key_is_broken(
    demo_server: AngeliaServer, tmp_path: Path
) -> None:
    port = demo_server.url.rpartition(":")[2]
    (tmp_path / "key").write_text("another key of another home")
    found = (await examined(tmp_path, ANGELIA_PORT=port))["server"]
    assert (found.level, "ANGELIA_HOME" in found.advice) == ("broken", True)


async def test_a_model_that_nobody_serves_is_broken(tmp_path: Path) -> None:
    address = "http://127.0.0.1:1/v1"
    found = (await examined(tmp_path, ANGELIA_BASE_URL=address))["model"]
    assert (found.level, found.advice) == ("broken", "check the address in ANGELIA_BASE_URL")
    async with stranger(b"") as port:
        address = f"http://127.0.0.1:{port}/v1"
        assert (await examined(tmp_path, ANGELIA_BASE_URL=address))["model"].level == "ok"


async def test_skills_that_are_left_out_are_told_with_the_reason(server: AngeliaServer) -> None:
    home = Path(server.env["ANGELIA_HOME"])
    (home / "skills" / "good").mkdir()
    (home / "skills" / "good" / "SKILL.md").write_text("---\nname: good\ndescription: d\n---\n")

    async def found() -> Check:
        checks = await examine(load(server.env), home, PROBES)
        return next(check for check in checks if check.part == "skills")

    assert (await found()).found == "1 to load"
    (home / "skills" / "torn").mkdir()
    (home / "skills" / "torn" / "SKILL.md").write_text("x")
    assert (await found()).level == "note"
    assert "torn (home): the file does not begin" in (await found()).found


@pytest.mark.parametrize("asked", ["auto", "bubblewrap"])
async def test_a_sandbox_that_does_not_work_is_broken_with_its_reason(
    tmp_path: Path, asked: str
) -> None:
    found = (await examined(tmp_path, ANGELIA_SANDBOX=asked))["sandbox"]
    assert (found.level, found.found) == ("broken", "no command can run: there is no bwrap")
    assert "install bubblewrap" in found.advice
    assert 'sandbox = "none"' in found.advice


async def test_no_sandbox_by_choice_is_worth_a_note(tmp_path: Path) -> None:
    found = (await examined(tmp_path, ANGELIA_SANDBOX="none"))["sandbox"]
    assert (found.level, found.found) == ("note", "none (none): plain processes")


async def test_what_a_running_server_says_of_its_sandbox_counts(start_server: StartServer) -> None:
    server = start_server(ANGELIA_SANDBOX="none")
    checks = await examine(load({**server.env, "ANGELIA_SANDBOX": "auto"}), server.home, PROBES)
    assert {c.part: c.found for c in checks}["sandbox"] == "none (auto): plain processes"
