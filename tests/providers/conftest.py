"""Angelia in front of model servers that others wrote, once for each protocol they speak."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.providers.running import AimockServer, LlamaServer
from tests.support.http import Client
from tests.support.server import AngeliaServer

PROTOCOLS = ("chat", "responses", "anthropic")
CONTEXT = 1024
Provider = LlamaServer | AimockServer


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """A small model that reads and writes little."""
    with started(LlamaServer(tmp_path_factory.mktemp("llama"), CONTEXT)) as server:
        yield server


@pytest.fixture(scope="session")
def endless_llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """A small model that does not stop before its window is full, which takes it long."""
    folder = tmp_path_factory.mktemp("endless-llama")
    with started(LlamaServer(folder, 8 * CONTEXT, "endless")) as server:
        yield server


@pytest.fixture(scope="session")
def aimock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AimockServer]:
    with started(AimockServer(tmp_path_factory.mktemp("aimock"))) as server:
        yield server


@pytest.fixture(scope="module", params=PROTOCOLS)
def protocol(request: Any) -> str:
    return request.param


@pytest.fixture(scope="module")
def before_llama(
    llama: LlamaServer, protocol: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AngeliaServer]:
    with asking(llama, protocol, tmp_path_factory.mktemp(f"llama-{protocol}")) as server:
        yield server


@pytest.fixture(scope="module")
def before_endless(
    endless_llama: LlamaServer, protocol: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AngeliaServer]:
    with asking(endless_llama, protocol, tmp_path_factory.mktemp(f"endless-{protocol}")) as server:
        yield server


@pytest.fixture(scope="module")
def before_aimock(
    aimock: AimockServer, protocol: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AngeliaServer]:
    with asking(aimock, protocol, tmp_path_factory.mktemp(f"aimock-{protocol}")) as server:
        yield server


@pytest.fixture
async def small(before_llama: AngeliaServer) -> AsyncIterator[Client]:
    async with Client(before_llama.url, before_llama.key) as client:
        yield client


@pytest.fixture
async def endless(before_endless: AngeliaServer) -> AsyncIterator[Client]:
    async with Client(before_endless.url, before_endless.key) as client:
        yield client


@pytest.fixture
async def mocked(before_aimock: AngeliaServer) -> AsyncIterator[Client]:
    async with Client(before_aimock.url, before_aimock.key) as client:
        yield client


@contextmanager
def started(server: Any) -> Iterator[Any]:
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def asking(provider: Provider, protocol: str, folder: Path) -> Iterator[AngeliaServer]:
    """Configured as its users do it: by environment alone."""
    env = {
        "ANGELIA_BASE_URL": f"{provider.url}/v1",
        "ANGELIA_PROTOCOL": protocol,
        "ANGELIA_MODEL": "smollm2",
    }
    with started(AngeliaServer(folder, env)) as server:
        yield server
