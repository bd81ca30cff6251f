"""Readers that leave and come back by chance, and the rules that hold for what they were given."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

import aiohttp

from tests.support.http import Client
from tests.support.server import AngeliaServer

Event = dict[str, Any]

ENDS = ("run.completed", "run.failed", "run.cancelled")
# A server that is dead, dying or not yet back.
AWAY = (aiohttp.ClientError, OSError, TimeoutError)


class Follower:
    """One reader of one run, from its first event to its end, over any number of connections."""

    def __init__(
        self,
        server: AngeliaServer,
        run_id: str,
        chance: random.Random,
        on_event: Callable[[Event], None] = lambda event: None,
    ) -> None:
        self.run_id = run_id
        self.events: list[Event] = []
        self.connections = 0
        self._server = server
        self._chance = chance
        self._on_event = on_event

    @property
    def ended(self) -> bool:
        return bool(self.events) and self.events[-1]["event"] in ENDS

    async def read(self) -> list[Event]:
        async with Client(self._server.url, self._server.key) as client:
            while not self.ended:
                try:
                    await self._once(client)
                except AWAY:
                    await asyncio.sleep(0.02)
        return self.events

    async def _once(self, client: Client) -> None:
        """One connection, to the end of the stream or until it feels like leaving."""
        seen = {"Last-Event-ID": str(self.events[-1]["seq"])} if self.events else {}
        path = f"/v1/runs/{self.run_id}/events"
        async with client.open("GET", path, headers=seen) as reader:
            assert reader.status == 200, await reader.read()
            self.connections += 1
            patience = self._chance.randint(2, 30)
            async for frame in reader.frames():
                if frame.data and frame.event is None:
                    assert frame.id == str(frame.json["seq"])
                    self.events.append(frame.json)
                    self._on_event(frame.json)
                    patience -= 1
                if patience == 0:
                    return


def lost_or_repeated(seen: Sequence[Event]) -> int:
    """How far what a reader was given is from the numbers 1 to its last, each once."""
    numbers = [event["seq"] for event in seen]
    missing = set(range(1, numbers[-1] + 1)) - set(numbers)
    return len(missing) + len(numbers) - len(set(numbers)) + (numbers != sorted(numbers))


def check(seen: Sequence[Event]) -> None:
    """No gap, no repeat, one end, and it comes last."""
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert [e["seq"] for e in seen if e["event"] in ENDS] == [len(seen)]


def only(seen: Sequence[Event], name: str) -> list[Event]:
    return [event for event in seen if event["event"] == name]


def outcomes(seen: Sequence[Event]) -> dict[str, str]:
    """How each shell command ended, in a run and its children. A call begins once and ends once."""
    begun, ended = only(seen, "tool.started"), only(seen, "tool.completed")
    how = {_call(event): event["outcome"] for event in ended}
    assert len(how) == len(ended)
    assert sorted(map(_call, begun)) == sorted(how)
    shell = [event for event in begun if event["tool"] == "terminal"]
    return {event["args"]["command"]: how[_call(event)] for event in shell}


def _call(event: Event) -> tuple[str, str]:
    """Ids of calls hold for one run."""
    return event["run_id"], event["tool_call_id"]
