"""Every fault of a provider, wherever it strikes and however it ends, on every surface.

    3 protocols
    × what can go wrong        statuses, lost connections, silence, noise, errors, odd framing
    × where                    before any delta, in thoughts, in text, in the arguments of a call,
                               between two rounds of tools, in the text behind them
    × how it ends              asked again, another provider, nobody

What a cell should come to is told by `expected`, a pure function of the cell. All cells of a
protocol are driven at once, and each test looks at what became of one of them.
"""

import asyncio
import fcntl
import os
import secrets
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from angelia.surfaces.upstream.script import Fault, Place
from tests.support.resilience.cells import Cell, cells
from tests.support.resilience.driving import Drive, Seen
from tests.support.resilience.outcome import differences, expected
from tests.support.resilience.stage import staged

# All cells are driven within the first test.
pytestmark = pytest.mark.timeout(300)

PROTOCOLS = ("chat", "responses", "anthropic")
CELLS = cells()


class Matrix(msgspec.Struct, frozen=True):
    """What became of all cells of a protocol, and what the server had to complain about."""

    seen: dict[str, Seen]
    complaints: str


Driven = dict[str, Matrix]


async def drive(folder: Path) -> dict[str, Matrix]:
    found = await asyncio.gather(*(drive_one(folder, protocol) for protocol in PROTOCOLS))
    return dict(zip(PROTOCOLS, found, strict=True))


async def drive_one(folder: Path, protocol: str) -> Matrix:
    (folder / protocol).mkdir()
    with staged(folder / protocol, protocol, CELLS) as stage:
        async with stage.client() as client:
            seen = await Drive(stage, client).run()
        return Matrix(seen, stage.server.stderr)


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Matrix]:
    """Whoever comes first drives; several processes of one run of tests share what was seen."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", secrets.token_hex(8))
    file = tmp_path_factory.getbasetemp().parent / f"resilience-{run}.json"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            seen = asyncio.run(drive(tmp_path_factory.mktemp("resilience")))
            file.write_bytes(msgspec.json.encode(seen))
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Matrix])


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_becomes_of_a_run(driven: Driven, protocol: str, cell: Cell) -> None:
    seen = driven[protocol].seen[cell.name]
    assert seen.trouble == {}
    assert differences(expected(cell), seen.outcome) == {}
    # No provider was sent anything that a strict one refuses.
    assert seen.refused == []


def test_every_fault_and_every_place_of_the_scripted_server_is_in_the_matrix() -> None:
    faults = [
        attempt.trouble.fault for cell in CELLS for attempt in cell.attempts if attempt.trouble
    ]
    # How often a fault strikes is said by the order of the steps.
    assert {name for fault in faults for name in fault} == {*Fault.__struct_fields__} - {"times"}
    values = {str(value) for fault in faults for value in fault.values()}
    assert values >= {*get_args(Place), "refuse", "error", "event", "ignore"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_call_that_is_not_made_is_named_in_a_notice(driven: Driven, protocol: str) -> None:
    halves = {cell.name for cell in CELLS if cell.name.startswith(("arguments-cut", "bare"))}
    found = driven[protocol].seen
    assert halves
    assert {name for name in halves if not found[name].dropped} == set()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_server_takes_all_of_it_in_its_stride(driven: Driven, protocol: str) -> None:
    assert driven[protocol].complaints == ""
