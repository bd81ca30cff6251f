"""The two forms of every chaos test, and the ledger that each of them writes."""

import os
from collections.abc import Iterator

import pytest

from tests.chaos.ledger import Ledger


@pytest.fixture(scope="session")
def long() -> bool:
    """`make chaos` asks for the long form; the short one is part of `make test`."""
    return os.environ.get("ANGELIA_CHAOS") == "long"


@pytest.fixture
def ledger(request: pytest.FixtureRequest, *, long: bool) -> Iterator[Ledger]:
    """Kept when the test has passed; what a failing test counted is not a result."""
    scenario = request.path.stem.removeprefix("test_")
    ledger = Ledger(scenario, request.node.name, long=long)
    failed = request.session.testsfailed
    yield ledger
    if request.session.testsfailed == failed:
        ledger.close()
