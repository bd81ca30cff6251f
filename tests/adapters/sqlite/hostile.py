"""Everything that can happen to a log, in any order, and what must hold all the same."""

import asyncio
import os
import shutil
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection, connect

import pytest
from hypothesis import strategies as st

from angelia.adapters.sqlite import spool as spools
from angelia.adapters.sqlite import spooling
from angelia.adapters.sqlite.damage import wal_of
from angelia.adapters.sqlite.spool import paths_of
from angelia.core.events import AnyEvent, Entry, StopRequested, TextDelta
from angelia.errors import LogUnavailable
from angelia.ports import Claim, Mark
from tests.adapters.sqlite.test_database import break_log, mend_log
from tests.contracts.stores import SqliteStore, begin, collect, end, text

CLAIMED = Mark("running", claim=Claim("key", "print", 1e12))
RUNS: tuple[str, ...] = ("a", "b", "c")
verbs = st.sampled_from(
    (
        *("offer",) * 6,
        *("append",) * 2,
        *("rest",) * 4,
        *("claim", "take", "hold", "let go", "break", "mend", "fill", "free", "kill", "follow"),
    )
)
programs = st.lists(st.tuples(verbs, st.sampled_from(RUNS), st.integers(1, 4)), max_size=60)


def make_small(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(spooling, "ROW_BYTES", 200)
    patch.setattr(spools, "TURN_BYTES", 600)
    patch.setattr(spooling, "PORTION_ROWS", 3)


async def landed(store: SqliteStore) -> None:
    """Returns when the writer has answered everything."""
    while store.database.live.flying or store.database.live.settling:
        await asyncio.sleep(0)


class Hostile:
    """A log to which everything happens, with readers that compare it with what they had."""

    def __init__(self, store: SqliteStore, stranger: Connection) -> None:
        self.store = store
        self.stranger = stranger
        self.epochs = dict.fromkeys(RUNS, 1)
        self.had = dict.fromkeys(RUNS, 0)
        self.told = dict.fromkeys(RUNS, 0)
        self.readers: list[tuple[str, int, asyncio.Task[list[Entry]]]] = []
        self.writing: list[tuple[str, list[AnyEvent], asyncio.Future[int]]] = []
        self.offering: list[asyncio.Future[None]] = []
        self.copies: list[tuple[Path, dict[str, int]]] = []
        self.broken = False
        self.full: list[int] = []

    async def run(self, program: list[tuple[str, str, int]]) -> None:
        for run_id in RUNS:
            await begin(self.store, run_id)
            self.follow(run_id, 0)
        for verb, run_id, number in program:
            await self.step(verb, run_id, number)
        self.mend()
        self.free()
        await landed(self.store)
        await asyncio.gather(*self.offering, return_exceptions=True)
        for run_id in RUNS:
            await self.end(run_id)
        await self.check()

    def follow(self, run_id: str, after: int) -> None:
        self.readers.append((run_id, after, asyncio.create_task(self._collect(run_id, after))))

    async def _collect(self, run_id: str, after: int) -> list[Entry]:
        entries: list[Entry] = []
        async for batch in self.store.log.follow(run_id, after):
            entries += batch.entries
            self.had[run_id] = max(self.had[run_id], batch.last)
        return entries

    async def end(self, run_id: str) -> None:
        for _ in range(3):
            try:
                await end(self.store, run_id, self.epochs[run_id])
            except LogUnavailable:
                continue
            return

    async def step(self, verb: str, run_id: str, number: int) -> None:
        match verb:
            case "offer":
                await self.offer(run_id, number)
            case "append":
                await self.append(run_id, number, None)
            case "claim":
                await self.append(run_id, 1, CLAIMED)
            case "rest":
                for _ in range(number):
                    await asyncio.sleep(0)
                if number == 4:
                    await self.store.log.read(run_id)
            case "take":
                self.mend()
                with suppress(LogUnavailable):
                    self.epochs[run_id] = await self.store.runs.take(run_id)
            case "follow":
                self.follow(run_id, number)
            case "kill":
                self.copy()
            case _:
                self.disturb(verb)

    def disturb(self, verb: str) -> None:
        match verb:
            case "hold" if not self.stranger.in_transaction:
                self.stranger.execute("begin immediate")
            case "let go":
                self.let_go()
            case "break" if not self.broken:
                self.let_go()
                break_log(self.stranger)
                self.broken = True
            case "fill" if not self.full:
                files = self.store.database.spooling._spool._files  # pyright: ignore
                self.full = [os.dup(file) for file in files]
                self._point(["/dev/full"] * len(files))
            case "free":
                self.free()
            case _:
                self.mend()

    def _point(self, paths: list[str]) -> None:
        files = self.store.database.spooling._spool._files  # pyright: ignore
        for file, path in zip(files, paths, strict=True):
            other = os.open(path, os.O_RDWR)
            os.dup2(other, file)
            os.close(other)

    def free(self) -> None:
        if self.full:
            self._point([f"/proc/self/fd/{file}" for file in self.full])
            for file in self.full:
                os.close(file)
            self.full = []

    def let_go(self) -> None:
        if self.stranger.in_transaction:
            self.stranger.execute("rollback")

    def mend(self) -> None:
        self.let_go()
        if self.broken:
            mend_log(self.stranger)
            self.broken = False

    async def offer(self, run_id: str, number: int) -> None:
        deltas: list[TextDelta] = []
        for _ in range(number):
            self.told[run_id] += 1
            deltas.append(text(f"{self.told[run_id]}"))
        self.offering.append(
            asyncio.ensure_future(self.store.log.offer(run_id, self.epochs[run_id], deltas))
        )
        # The place in the log is taken by the first step of the call.
        await asyncio.sleep(0)

    async def append(self, run_id: str, number: int, mark: Mark | None) -> None:
        new: list[AnyEvent] = [StopRequested(f"{len(self.writing)} {n}") for n in range(number)]
        appending = self.store.log.append(run_id, self.epochs[run_id], new, mark)
        self.writing.append((run_id, new, asyncio.ensure_future(appending)))
        await asyncio.sleep(0)

    def copy(self) -> None:
        """The home as a kill would leave it. Nothing but the writer's thread goes on meanwhile."""
        if self.full:
            return
        path = self.store.path
        folder = path.parent / f"copy{len(self.copies)}"
        folder.mkdir()
        for beside in paths_of(path):
            if beside.exists():
                shutil.copy(beside, folder / beside.name)
        for of in (path, wal_of(path)):
            shutil.copy(of, folder / of.name)
        self.copies.append((folder / path.name, dict(self.had)))

    async def check(self) -> None:
        whole = {run_id: await collect(self.store.log, run_id) for run_id in RUNS}
        for entries in whole.values():
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            numbers = [int(e.event.text) for e in entries if isinstance(e.event, TextDelta)]
            assert numbers == sorted(set(numbers))
        for run_id, after, reader in self.readers:
            assert await reader == whole[run_id][after:]
        for run_id, new, appending in self.writing:
            if appending.exception() is None:
                last = appending.result()
                assert [e.event for e in whole[run_id][last - len(new) : last]] == new
        for path, had in self.copies:
            await self.check_copy(path, had, whole)

    async def check_copy(
        self, path: Path, had: dict[str, int], whole: dict[str, list[Entry]]
    ) -> None:
        with closing(connect(path, isolation_level=None)) as connection:
            connection.execute("drop trigger if exists broken")
        copy = SqliteStore(path)
        for run_id in RUNS:
            kept = await copy.log.read(run_id)
            assert kept is not None
            assert list(kept.entries) == whole[run_id][: kept.last]
            assert kept.last >= had[run_id]
        await copy.close()
