"""Model servers on this machine, found by asking the ports where they usually are."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct

from angelia.config import ProviderSettings
from angelia.wire.offers import Offer, Offered, Offers

AskForOffers = Callable[[ProviderSettings, float], Awaitable[Offered]]
# Whoever listens on this machine answers at once, unless a model takes all of it.
PATIENCE = 2.0


class Server(Struct, frozen=True):
    """`name` is what it is called in the file, `title` what people call it."""

    name: str
    title: str


KNOWN = {
    11434: Server("ollama", "Ollama"),
    8080: Server("llamacpp", "llama.cpp"),
    1234: Server("lmstudio", "LM Studio"),
    8000: Server("vllm", "vLLM"),
}


class Found(Struct, frozen=True):
    """A server that answers with a list of models."""

    name: str
    title: str
    base_url: str
    models: tuple[Offer, ...]


async def look(ask: AskForOffers, ports: Sequence[int]) -> tuple[Found, ...]:
    """Those that answer, in the order of the ports."""
    found = await asyncio.gather(*(_at(ask, port) for port in ports))
    return tuple(server for server in found if server is not None)


def place(port: int) -> tuple[Server, str]:
    """Who is usually there, and the address."""
    server = KNOWN.get(port, Server(f"local-{port}", "Model server"))
    return server, f"http://127.0.0.1:{port}/v1"


async def _at(ask: AskForOffers, port: int) -> Found | None:
    server, base_url = place(port)
    provider = ProviderSettings(server.name, base_url, "chat", "this machine")
    answer = await ask(provider, PATIENCE)
    if not isinstance(answer, Offers):
        return None
    return Found(server.name, server.title, base_url, answer.models)
