"""The document is served without a key, known by its tag, and made only when it is asked for."""

import subprocess
import sys

import pytest

from angelia.surfaces.http.openapi.document import build
from tests.support.http import Client


@pytest.fixture
async def stranger(demo_server):
    async with Client(demo_server.url) as client:
        yield client


async def test_anybody_may_read_the_document(stranger) -> None:
    answer = await stranger.get("/openapi.json")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.body == build()


async def test_who_has_it_is_not_sent_it_again(stranger) -> None:
    tag = (await stranger.get("/openapi.json")).headers["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = await stranger.get("/openapi.json", If_None_Match=known)
        assert (answer.status, answer.body) == (304, b"")
        assert answer.headers["ETag"] == tag
    assert (await stranger.get("/openapi.json", If_None_Match='"other"')).status == 200


def test_a_server_starts_without_making_it() -> None:
    script = (
        "import sys, angelia.surfaces.http.app; "
        "sys.exit('angelia.surfaces.http.openapi.document' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
