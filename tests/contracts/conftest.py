"""Every log there is, one after another."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contracts.stores import KINDS, Store, open_store


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = open_store(request.param, tmp_path)
    yield opened
    await opened.close()
