"""Signals that nobody announces: kill -9 by chance under load, and a process that stands still."""

import asyncio
import json
import os
import random
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.chaos.ledger import Ledger
from tests.chaos.readers import AWAY, Follower, check, lost_or_repeated, only, outcomes
from tests.support.following import eventually, started
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted
from tests.support.server import AngeliaServer

pytestmark = pytest.mark.timeout(900)

SLOWLY = {"when": "slowly", "repeat": True, "pace": 0.03, "text": "word " * 40}


class Work:
    """Runs with a number, each begun under a key of its own and read to its end."""

    def __init__(
        self, stage: Scripted, chance: random.Random, prompt: Callable[[int], str]
    ) -> None:
        self.readers: dict[int, Follower] = {}
        self._prompt = prompt
        self._server = stage.server
        self._workspace = stage.server.home / "workspace"
        self._chance = chance
        self._over = False

    async def keep_on(self, width: int, until: Awaitable[None]) -> None:
        """So many at once, one behind another, until something else is done."""
        numbers = iter(range(1, 1_000_000))

        async def work() -> None:
            while not self._over:
                await self.read(next(numbers))

        working = asyncio.gather(*(work() for _ in range(width)))
        await until
        self._over = True
        await working

    async def read(self, number: int) -> None:
        run_id = await self._begun(number)
        reader = self.readers[number] = Follower(self._server, run_id, self._chance)
        await reader.read()

    async def _begun(self, number: int) -> str:
        """However often it has to be said, it is one run."""
        async with Client(self._server.url, self._server.key) as client:
            while True:
                try:
                    asked = {"input": self._prompt(number)}
                    return await started(client, asked, Idempotency_Key=f"run {number}")
                except AWAY:
                    await asyncio.sleep(0.02)

    def count(self, ledger: Ledger) -> None:
        """What is said to be done was done once; what is in doubt was done at most once."""
        for number, reader in self.readers.items():
            ledger.count("runs", 1)
            ledger.count("events delivered", len(reader.events))
            ledger.count("events lost or repeated", lost_or_repeated(reader.events))
            ledger.count("connections", reader.connections)
            check(reader.events)
            assert reader.events[-1]["event"] == "run.completed"
            for command, outcome in outcomes(reader.events).items():
                times = self._times(number, command)
                assert times == 1 if outcome == "ok" else (outcome == "in_doubt" and times <= 1)
                ledger.count(f"calls {outcome.replace('_', ' ')}", 1)
                ledger.count("calls done twice", int(times > 1))

    def _times(self, number: int, command: str) -> int:
        file = self._workspace / f"deeds-{number}"
        name = "slow" if "echo slow" in command else "quick"
        return file.read_text().split().count(name) if file.exists() else 0


def mixed(number: int) -> str:
    quick, slow = (f"echo {name} >> deeds-{number}" for name in ("quick", "slow"))
    kinds = (
        f"think, `{quick}` and long 20",
        f"slowly, number {number}",
        f"`sleep 0.3; {slow}`, `{quick}`, read notes.txt",
        f"`{quick}; sleep 0.2`, list and long 60",
    )
    return kinds[number % len(kinds)]


async def killings(server: AngeliaServer, pauses: list[float]) -> None:
    for pause in pauses:
        await asyncio.sleep(pause)
        server.kill()
        await asyncio.to_thread(server.start)


async def test_kills_by_chance_under_load_lose_nothing_and_nothing_is_done_twice(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    chance = random.Random(11)
    width, times, pauses = (100, 50, (1.0, 5.0)) if long else (20, 3, (0.7, 1.5))
    with scripted(tmp_path) as stage:
        (stage.server.home / "workspace" / "notes.txt").write_text("remember the milk")
        stage.script(SLOWLY)
        work = Work(stage, chance, mixed)
        killing = killings(stage.server, [chance.uniform(*pauses) for _ in range(times)])
        await work.keep_on(width, killing)
        ledger.count("kills survived", times)
        work.count(ledger)
        await check_home(stage, len(work.readers))


async def check_home(stage: Scripted, runs: int) -> None:
    """No run was begun that nobody has read, and the file is in order."""
    assert stage.server.stop() == 0
    assert "Traceback" not in stage.server.stderr
    with closing(sqlite3.connect(stage.server.home / "angelia.db")) as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert database.execute("select count(*), sum(ended) from runs").fetchone() == (runs, runs)


# ── a process that stands still ─────────────────────────────────────────────────────────────

# Shorter than the process stands still, and whoever is found to have stalled is not asked again.
HASTY = """
[model]
retries = 0

[model.timeouts]
first_token = 2
between_chunks = 2
"""
STILL = 3.0
WIDTH = 16
AFTER_A_WHILE = {"when": "after a while", "repeat": True, "delay": 1.5, "text": "so late"}


def lasting(number: int) -> str:
    """What is still under way when the process stops, and would be over before it goes on."""
    deed = f"sleep 1; echo slow >> deeds-{number}"
    limited = json.dumps({"command": deed, "timeout": 2})
    kinds = (f"`{deed}`", "slowly", "after a while", f"call terminal {limited}")
    return kinds[number % len(kinds)]


async def test_a_process_that_stands_still_blames_nobody_and_its_streams_go_on(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    with scripted(tmp_path, HASTY) as stage:
        stage.script({**SLOWLY, "pace": 0.1}, AFTER_A_WHILE)
        work = Work(stage, random.Random(13), lasting)
        for turn in range(10 if long else 2):
            await frozen(stage, work, range(turn * WIDTH, turn * WIDTH + WIDTH))
            ledger.count("times stood still", 1)
        work.count(ledger)
        seen = [event for reader in work.readers.values() for event in reader.events]
        ledger.count("steps asked again", len(only(seen, "step.reset")))
        await check_home(stage, len(work.readers))


async def frozen(stage: Scripted, work: Work, numbers: range) -> None:
    """All of them are under way when the process stops, and are over some time after."""
    reading = [asyncio.create_task(work.read(number)) for number in numbers]
    await eventually(lambda: under_way(stage, work, numbers))
    os.kill(stage.server.pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(STILL)
    finally:
        os.kill(stage.server.pid, signal.SIGCONT)
    await asyncio.gather(*reading)


async def under_way(stage: Scripted, work: Work, numbers: range) -> bool:
    """The model was asked by all of them, and those that call a tool have begun to."""
    asked = len(await asyncio.to_thread(lambda: stage.asked))
    calling = [work.readers.get(number) for number in numbers if number % 4 in (0, 3)]
    return asked >= numbers[-1] + 1 and all(
        reader is not None and only(reader.events, "tool.started") for reader in calling
    )
