"""A server in this process."""

from pathlib import Path

import pytest

from angelia.assembly.server import embedded_server
from angelia.assembly.services import open_services
from angelia.config import load
from angelia.errors import HomeInUse
from tests.support.following import ended, started
from tests.support.http import Client


async def test_an_embedded_server_answers_and_leaves_the_home_folder(tmp_path: Path) -> None:
    settings = load({"ANGELIA_LOG": "error"}, home=tmp_path)
    for words in (2, 3):
        async with embedded_server(settings) as (url, key), Client(url, key) as client:
            assert url.startswith("http://127.0.0.1:")
            run = await ended(client, await started(client, {"input": f"long {words}"}))
            assert run["status"] == "completed"
    async with open_services(settings):
        with pytest.raises(HomeInUse):
            async with embedded_server(settings):
                pass
