import pytest

from angelia.assembly.probes import offers
from angelia.surfaces.cli.local import Found, look, place
from angelia.surfaces.upstream.script import Script
from angelia.surfaces.upstream.server import UpstreamServer
from angelia.wire.offers import Offer
from tests.support.process import free_port


@pytest.mark.parametrize(
    ("port", "name"),
    [(11434, "ollama"), (8080, "llamacpp"), (1234, "lmstudio"), (8000, "vllm"), (7, "local-7")],
)
def test_whoever_is_usually_at_a_port_is_known_by_name(port: int, name: str) -> None:
    server, base_url = place(port)
    assert (server.name, base_url) == (name, f"http://127.0.0.1:{port}/v1")


async def test_only_those_that_list_models_are_found() -> None:
    async with UpstreamServer(Script()) as server:
        port = int(server.base_url.removesuffix("/v1").rpartition(":")[2])
        found = await look(offers, (free_port(), port))
    models = (Offer("scripted"),)
    assert found == (Found(f"local-{port}", "Model server", f"http://127.0.0.1:{port}/v1", models),)
