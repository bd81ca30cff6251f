from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from angelia.assembly.services import open_services
from angelia.config import load
from angelia.runtime.services import Services
from angelia.surfaces.cli.banner import banner

ADDRESS = "http://127.0.0.1:8642"


@asynccontextmanager
async def services(home: Path, **env: str) -> AsyncIterator[Services]:
    async with open_services(load({"ANGELIA_LOG": "error", **env}, home=home)) as given:
        yield given


async def test_the_start_that_made_the_key_shows_it(tmp_path: Path) -> None:
    async with services(tmp_path) as given:
        text = banner(given, ADDRESS)
        assert given.secret in text
        assert str(tmp_path / "key") in text


async def test_a_later_start_says_where_the_key_is_and_not_what_it_is(tmp_path: Path) -> None:
    async with services(tmp_path):
        pass
    async with services(tmp_path) as given:
        text = banner(given, ADDRESS)
        assert given.secret not in text
        assert f"cat {tmp_path / 'key'}" in text


async def test_a_key_that_was_chosen_is_never_shown(tmp_path: Path) -> None:
    async with services(tmp_path, ANGELIA_API_KEY="chosen-by-the-owner") as given:
        assert "chosen-by-the-owner" not in banner(given, ADDRESS)


async def test_the_curl_reads_the_key_from_its_file(tmp_path: Path) -> None:
    async with services(tmp_path) as given:
        text = banner(given, ADDRESS)
        assert f"curl -N {ADDRESS}/v1/chat/completions" in text
        assert f'"Authorization: Bearer $(cat {tmp_path / "key"})"' in text


async def test_a_home_with_a_blank_in_its_name_is_quoted(tmp_path: Path) -> None:
    home = tmp_path / "my home"
    async with services(home) as given:
        assert f"$(cat '{home}/key')" in banner(given, ADDRESS)


async def test_it_says_that_the_demo_model_is_there_for_want_of_another(tmp_path: Path) -> None:
    async with services(tmp_path) as given:
        assert "demo model (no model configured)" in banner(given, ADDRESS)


async def test_it_says_which_model_is_in_force_and_why(tmp_path: Path) -> None:
    env = {"OPENAI_API_KEY": "sk-not-a-real-key-at-all", "ANGELIA_MODEL": "some-model"}
    async with services(tmp_path, **env) as given:
        text = banner(given, ADDRESS)
        assert "some-model at https://api.openai.com/v1, from OPENAI_API_KEY" in text
        assert env["OPENAI_API_KEY"] not in text
