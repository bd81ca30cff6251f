"""Which client is asked which case: the tests of the zoo are made of these pairs."""

from collections.abc import Iterator, Sequence

import pytest
from msgspec import Struct

from tests.clients.cases import APIS, CASES, WAYS, Api, Case, Seen, Way
from tests.clients.reports import Run
from tests.clients.zoo import CLIENTS, Client


class Told(Struct, frozen=True):
    """What one client saw of one case, and the runs behind it."""

    client: Client
    name: str
    case: Case
    seen: Seen
    runs: list[Run]

    @property
    def run(self) -> Run:
        """The one that all answers came from."""
        (run,) = self.runs
        return run


def of(
    *stories: str,
    apis: Sequence[Api] = APIS,
    ways: Sequence[Way] = WAYS,
    on_the_wire: bool = False,
) -> pytest.MarkDecorator:
    """A test that is `told` of these stories by every client that is asked them.

    `on_the_wire` leaves out what came over a socket that was not watched.
    """
    pairs = [
        pytest.param((client, name), id=f"{client.name}: {name}")
        for client, name, case in asked()
        if case.story in stories and case.api in apis and case.way in ways
        if not (on_the_wire and case.way in client.unwatched)
    ]
    return pytest.mark.parametrize("told", pairs, indirect=True)


def asked() -> Iterator[tuple[Client, str, Case]]:
    for client in CLIENTS:
        for name, case in CASES.items():
            if client.is_asked(case):
                yield client, name, case
