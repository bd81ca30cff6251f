"""Readers that take little and readers that take nothing, beside those that take all at once."""

import asyncio
import statistics
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.chaos.dawdlers import Dawdler
from tests.chaos.fast import Order, Result
from tests.chaos.ledger import Ledger
from tests.chaos.pacing import script
from tests.chaos.vitals import MB, forget_peak, gauge, peak_rss, rss, settled, vitals
from tests.support.following import started
from tests.support.http import Client
from tests.support.process import Process, clean_env, free_port
from tests.support.server import AngeliaServer

pytestmark = pytest.mark.timeout(900)


class Size(msgspec.Struct, frozen=True):
    """`shared` and `own` are runs: with many fast readers, and with one."""

    shared: int
    own: int
    fast: int
    slow: int
    stuck: int
    rate: int
    patience: int
    pieces: int
    piece: int
    rounds: int


SHORT = Size(
    shared=4,
    own=10,
    fast=60,
    slow=20,
    stuck=8,
    rate=16_384,
    patience=3,
    pieces=50,
    piece=8_000,
    rounds=1,
)
LONG = Size(
    shared=10,
    own=50,
    fast=500,
    slow=200,
    stuck=50,
    rate=1_024,
    patience=30,
    pieces=400,
    piece=1_500,
    rounds=3,
)
PIECES_A_SECOND = 20
# What one reader that is behind may cost, and what the server needs to serve the others.
EACH, ALL = MB // 4, 64 * MB


@contextmanager
def paced(folder: Path, size: Size) -> Iterator[AngeliaServer]:
    """A server whose model speaks at a steady pace."""
    (folder / "model").mkdir()
    port = free_port()
    program = (sys.executable, "-m", "tests.chaos.pacing")
    model = Process(["--port", str(port)], clean_env(folder, {}), folder / "model", program)
    env = {"ANGELIA_BASE_URL": f"http://127.0.0.1:{port}/v1", "ANGELIA_MODEL": "paced"}
    server = AngeliaServer(folder / "server", env)
    settings = f"[server]\nreader_patience = {size.patience}\n"
    (server.home / "angelia.toml").write_text(settings)
    try:
        model.start(f"http://127.0.0.1:{port}/health")
        server.start()
        yield server
    finally:
        server.kill()
        model.kill()


class Round:
    """Runs that say the same at the same time, and their fast readers."""

    def __init__(self, server: AngeliaServer, size: Size) -> None:
        self.server = server
        self.size = size
        self.shared: list[str] = []
        self.own: list[str] = []
        # Bytes that the server took while the runs were under way, and the most it ever had.
        self.grown = self.most = 0
        forget_peak(server.pid)

    def over(self) -> None:
        self.most = peak_rss(self.server.pid)

    async def _weigh(self) -> None:
        """Up to shortly before all runs end at once."""
        begun, end = rss(self.server.pid), 0.8 * self.size.pieces / PIECES_A_SECOND
        with suppress(TimeoutError):
            async with asyncio.timeout(end):
                while True:
                    self.grown = max(self.grown, rss(self.server.pid) - begun)
                    await asyncio.sleep(0.1)

    async def begin(self) -> None:
        asked = {"input": script(self.size.pieces, self.size.piece, PIECES_A_SECOND)}
        async with Client(self.server.url, self.server.key) as client:
            self.shared = [await started(client, asked) for _ in range(self.size.shared)]
            self.own = [await started(client, asked) for _ in range(self.size.own)]

    async def watched(self, crowd: "Crowd | None" = None) -> Result:
        """What the fast readers saw, from the first event to the last."""
        program = (sys.executable, "-m", "tests.chaos.fast")
        fast = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE)
        assert fast.stdout is not None
        assert await fast.stdout.readline() == b"ready\n"
        await self.begin()
        weighing = asyncio.create_task(self._weigh())
        if crowd is not None:
            await crowd.gather(self)
        rest = self.size.fast - len(self.own)
        runs = (*self.own, *(self.shared[n % len(self.shared)] for n in range(rest)))
        fifth = self.size.pieces // 5
        order = Order(self.server.url, self.server.key, runs, fifth, 4 * fifth)
        said, _ = await fast.communicate(msgspec.json.encode(order) + b"\n")
        await weighing
        return msgspec.json.decode(said, type=Result)


class Crowd:
    """Readers that are behind, of shared runs and of such as a fast reader has to itself."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._over = asyncio.Event()
        self._dawdling: list[asyncio.Task[None]] = []
        self.slow: list[Dawdler] = []
        self.stuck: list[Dawdler] = []

    async def gather(self, round_: Round) -> None:
        runs = round_.shared + round_.own
        readers = [
            Dawdler(round_.server, runs[number % len(runs)])
            for number in range(self._size.slow + self._size.stuck)
        ]
        self.slow, self.stuck = readers[: self._size.slow], readers[self._size.slow :]
        for reader in readers:
            await reader.open()
        self._dawdling = [
            asyncio.create_task(reader.dawdle(self._size.rate, self._over)) for reader in self.slow
        ]

    async def stuck_are_let_go(self, server: AngeliaServer) -> None:
        """Returns when the server has no streams but those of the slow ones."""
        deadline = time.monotonic() + self._size.patience + 60
        async with Client(server.url, server.key) as client:
            while await gauge(client, "angelia_streams_open") > len(self.slow):
                assert time.monotonic() < deadline, "they are never let go"
                await asyncio.sleep(0.1)

    async def finish(self) -> None:
        self._over.set()
        await asyncio.gather(*self._dawdling)
        await asyncio.gather(*(reader.finish() for reader in self.slow))

    async def come_back(self) -> None:
        """The stuck ones, for exactly the rest."""
        await asyncio.gather(*(reader.finish() for reader in self.stuck))


async def test_slow_and_stuck_readers_cost_the_fast_ones_nothing(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    size = LONG if long else SHORT
    p99s: list[tuple[float, float]] = []
    grown: list[int] = []
    with paced(tmp_path, size) as server:
        # What every server loads and keeps once is nobody's fault.
        await Round(server, replace(size, pieces=20, piece=100)).watched()
        for _ in range(size.rounds):
            before, crowd, theirs = await vitals(server), Crowd(size), Round(server, size)
            beside = await theirs.watched(crowd)
            await crowd.stuck_are_let_go(server)
            await crowd.finish()
            # The stuck ones still hold their end of the connection.
            after = await settled(server, before)
            assert after.descriptors <= before.descriptors + 3
            assert after.tasks <= before.tasks + 3
            await crowd.come_back()
            theirs.over()
            ours = Round(server, size)
            alone = await ours.watched()
            ours.over()
            p99s.append((beside.p99, alone.p99))
            note(ledger, size, alone, beside)
            note_crowd(ledger, size, crowd)
            note_memory(ledger, size, theirs, ours)
            grown.append(theirs.grown)
    # Later rounds find memory that earlier ones have left free.
    ledger.say("memory taken while they were behind, at most", f"{max(grown) / MB:.0f} MB")
    beside_them, by_themselves = map(statistics.median, zip(*p99s, strict=True))
    ratio = beside_them / by_themselves
    ledger.say("fast p99 beside them ÷ alone, of the medians", f"{ratio:.2f}")
    if long:
        assert ratio <= 2


def note(ledger: Ledger, size: Size, alone: Result, beside: Result) -> None:
    for seen in (alone, beside):
        ledger.count("events to fast readers", seen.events)
        ledger.count("events lost or repeated", seen.lost)
        assert (seen.lost, seen.completed) == (0, size.fast)
        assert seen.lags == size.fast * (size.pieces // 5 * 3)
    ledger.say("fast p50 and p99 alone", f"{alone.p50:.1f} and {alone.p99:.1f} ms")
    ledger.say("fast p50 and p99 beside them", f"{beside.p50:.1f} and {beside.p99:.1f} ms")


def note_memory(ledger: Ledger, size: Size, beside: Round, alone: Round) -> None:
    """While they are behind, and at the end, when each is told the whole answer twice more."""
    behind = size.slow + size.stuck
    ledger.say("most memory, alone and beside", f"{alone.most / MB:.0f}, {beside.most / MB:.0f} MB")
    assert beside.grown <= ALL + EACH * behind
    answer = size.pieces * size.piece
    assert beside.most <= alone.most + ALL + (EACH + 2 * answer) * behind


def note_crowd(ledger: Ledger, size: Size, crowd: Crowd) -> None:
    """One that takes a little is served to the end; one that takes nothing comes back."""
    ledger.count("slow readers that were cut off", sum(r.connections > 1 for r in crowd.slow))
    ledger.count("stuck readers let go and back again", sum(r.connections > 1 for r in crowd.stuck))
    for reader in crowd.slow + crowd.stuck:
        assert reader.ids == list(range(1, len(reader.ids) + 1))
        assert len(reader.ids) > size.pieces // 2
        ledger.count("events to slow and stuck readers", len(reader.ids))
    assert all(reader.connections == 1 for reader in crowd.slow)
    assert all(reader.connections == 2 for reader in crowd.stuck)
