import asyncio
from collections.abc import AsyncIterator

import pytest

from angelia.adapters.upstream.endpoint import Endpoint, ProtocolName
from angelia.adapters.upstream.offers import ask_for_offers
from angelia.surfaces.upstream.script import Script
from angelia.surfaces.upstream.server import UpstreamServer
from angelia.wire.offers import NoOffers, Offer, Offers
from tests.adapters.upstream.serving import Request, saying
from tests.support.process import free_port

SECONDS = 10.0


@pytest.mark.parametrize("protocol", ["chat", "responses", "anthropic"])
@pytest.mark.parametrize("version", ["", "/v1", "/v1/"])
async def test_a_provider_lists_its_models(protocol: ProtocolName, version: str) -> None:
    async with UpstreamServer(Script()) as server:
        base_url = server.base_url.removesuffix("/v1") + version
        found = await ask_for_offers(Endpoint(base_url, "", protocol, "k"), SECONDS)
    assert isinstance(found, Offers)
    assert found.models == (Offer("scripted"),)


async def test_an_address_that_lists_nothing_says_so() -> None:
    async with UpstreamServer(Script()) as server:
        there = Endpoint(f"{server.base_url}/elsewhere/v1", "")
        found = await ask_for_offers(there, SECONDS)
    assert isinstance(found, NoOffers)
    assert found.status == 404


async def test_nobody_there_is_said_in_words() -> None:
    port = free_port()
    found = await ask_for_offers(Endpoint(f"http://127.0.0.1:{port}", "", key="secret"), SECONDS)
    assert isinstance(found, NoOffers)
    assert found.status is None
    assert found.message == f"Nobody answers at 127.0.0.1:{port}: Connection refused"


async def test_a_header_that_cannot_be_sent_breaks_nothing() -> None:
    there = Endpoint("http://127.0.0.1:1", "", key="two\nlines")
    found = await ask_for_offers(there, SECONDS)
    assert isinstance(found, NoOffers)
    assert "lines" not in found.message


async def test_a_list_without_end_is_none() -> None:
    async def go_on(_: Request) -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + b'{"data": ['
        yield b" " * (17 << 20) + b"Connection: close"
        await asyncio.Event().wait()

    async with saying(go_on) as url:
        found = await ask_for_offers(Endpoint(url, ""), SECONDS)
    assert found == NoOffers("What answers there is no list of models.", 200)
