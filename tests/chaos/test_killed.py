"""kill -9 at every entry of a rich run, under three readers that come and go."""

import asyncio
import json
import random
from pathlib import Path

import pytest

from tests.chaos.ledger import Ledger
from tests.chaos.readers import AWAY, Event, Follower, check, lost_or_repeated, only, outcomes
from tests.support.following import started
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted

pytestmark = pytest.mark.timeout(900)

READERS = 3
SAMPLE = 8
NAMES = ("quick", "slow", "signed", "child", "behind")
SETTINGS = """
[approvals]
irreversible = "allow"

[[approvals.rules]]
verdict = "ask"
command = "tee *"
"""


def deed(name: str, number: int) -> str:
    return f"echo {name} >> deeds-{number}"


def prompt(number: int) -> str:
    """All at once; the first request to the model fails."""
    goal = {"tasks": [{"goal": f"Run `{deed('child', number)}`"}]}
    behind = {"command": f"{deed('behind', number)}; sleep 100", "background": True}
    return (
        f"think, `{deed('quick', number)}`, `sleep 0.1; {deed('slow', number)}`, read notes.txt, "
        f"`echo signed | tee -a deeds-{number}`, call delegate {json.dumps(goal)}, "
        f"call terminal {json.dumps(behind)} [[fault status=503 times=1]]"
    )


async def test_a_server_killed_at_any_entry_loses_nothing_and_does_nothing_twice(
    tmp_path: Path, ledger: Ledger, *, long: bool
) -> None:
    chance = random.Random(7)
    with scripted(tmp_path, SETTINGS, ANGELIA_APPROVALS="ask") as stage:
        (stage.server.home / "workspace" / "notes.txt").write_text("remember the milk")
        whole = (await Killing(stage, chance, 0).survived())[0].events
        names = {event["event"] for event in whole}
        assert {"approval.resolved", "subagent.completed", "notice", "tool.output"} <= names
        entries = range(1, len(whole))
        cuts = entries if long else sorted(chance.sample(entries, SAMPLE))
        for cut in cuts:
            readers = await Killing(stage, chance, cut).survived()
            ledger.count("kills survived", int(len(readers[0].events) >= cut))
            note(ledger, readers)
            await check_deeds(stage, cut, readers[0].events, ledger)
        ledger.count("entries of the run", len(whole))


def note(ledger: Ledger, readers: list[Follower]) -> None:
    for reader in readers:
        ledger.count("events delivered", len(reader.events))
        ledger.count("events lost or repeated", lost_or_repeated(reader.events))
        ledger.count("connections", reader.connections)
        check(reader.events)
        assert reader.events == readers[0].events


class Killing:
    """One run, and the kill as soon as a reader has its entry number `cut`; at 0 there is none."""

    def __init__(self, stage: Scripted, chance: random.Random, cut: int) -> None:
        self._server = stage.server
        self._chance = chance
        self._cut = cut
        self._killed = asyncio.Event()

    async def survived(self) -> list[Follower]:
        """The readers, each with the whole run."""
        async with Client(self._server.url, self._server.key) as client:
            run_id = await started(client, {"input": prompt(self._cut)})
        followers = [
            Follower(self._server, run_id, self._chance, self._seen) for _ in range(READERS)
        ]
        back = asyncio.create_task(self._start_again())
        answering = asyncio.create_task(self._approve(run_id))
        async with asyncio.timeout(60):
            await asyncio.gather(*(follower.read() for follower in followers))
        answering.cancel()
        # Whoever had the end of the run in its buffer has not waited for the server.
        if not self._killed.is_set():
            back.cancel()
        await asyncio.wait((back, answering))
        return followers

    def _seen(self, event: Event) -> None:
        if event["seq"] == self._cut and not self._killed.is_set():
            self._server.kill()
            self._killed.set()

    async def _start_again(self) -> None:
        await self._killed.wait()
        await asyncio.to_thread(self._server.start)

    async def _approve(self, run_id: str) -> None:
        """Says yes until somebody has heard it."""
        async with Client(self._server.url, self._server.key) as client:
            while True:
                try:
                    answer = await client.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
                    assert answer.status in (200, 409), answer.body
                except AWAY:
                    pass
                await asyncio.sleep(0.05)


async def check_deeds(stage: Scripted, number: int, seen: list[Event], ledger: Ledger) -> None:
    """What is said to be done was done once; what is in doubt was done at most once."""
    log = list(seen)
    async with stage.client() as client:
        # A call that is made again finds its children, and says so again.
        for child in {event["child_run_id"] for event in only(seen, "subagent.started")}:
            path = f"/v1/runs/{child}/events"
            own = [f.json async for f in client.stream(path) if f.comment is None]
            check(own)
            log += own
    lines = deeds(stage, number)
    ended = outcomes(log)
    assert len(ended) == len(NAMES)
    for command, outcome in ended.items():
        times = lines.count(name_in(command))
        assert times == 1 if outcome == "ok" else (outcome == "in_doubt" and times <= 1)
        ledger.count(f"calls {outcome.replace('_', ' ')}", 1)
        ledger.count("calls done twice", int(times > 1))


def deeds(stage: Scripted, number: int) -> list[str]:
    file = stage.server.home / "workspace" / f"deeds-{number}"
    return file.read_text().split() if file.exists() else []


def name_in(command: str) -> str:
    return next(name for name in NAMES if f"echo {name}" in command)
