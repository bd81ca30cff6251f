"""All cells of the matrix at once, each on every surface and each within its own time."""

import asyncio
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from tests.support.http import Client, Frame
from tests.support.resilience import views
from tests.support.resilience.cells import Cell
from tests.support.resilience.outcome import Answer, Outcome, plain
from tests.support.resilience.stage import SURFACES, Stage, agent, token
from tests.support.resilience.troubles import SECRET

# Far more than it takes; a cell that needs more hangs.
LONGEST = 60.0
# Those who wait for silence to become too long need no more than patience.
BUSY, WAITING = 40, 80


class Seen(Struct, frozen=True):
    """What became of a cell. `trouble` is why that cannot be told, by surface."""

    outcome: Outcome
    trouble: dict[str, str] = {}
    dropped: list[str] = []
    refused: list[str] = []


class Drive:
    def __init__(self, stage: Stage, client: Client) -> None:
        self._stage = stage
        self._client = client
        self._room = {False: asyncio.Semaphore(BUSY), True: asyncio.Semaphore(WAITING)}

    async def run(self) -> dict[str, Seen]:
        cells = list(enumerate(self._stage.cells))
        # Those that take long begin first.
        cells.sort(key=lambda pair: -len(pair[1].attempts) * pair[1].is_slow)
        seen = await asyncio.gather(*(self._cell(number, cell) for number, cell in cells))
        found = {cell.name: one for (_, cell), one in zip(cells, seen, strict=True)}
        return self._counted(found)

    async def _cell(self, number: int, cell: Cell) -> Seen:
        parts = await asyncio.gather(
            *(self._surface(number, cell, surface) for surface in SURFACES)
        )
        found: dict[str, Any] = {}
        trouble: dict[str, str] = {}
        for surface, part in zip(SURFACES, parts, strict=True):
            if isinstance(part, str):
                trouble[surface] = part
            else:
                found |= part
        dropped = found.pop("dropped", [])
        return Seen(Outcome(**found), trouble, dropped)

    async def _surface(self, number: int, cell: Cell, surface: str) -> dict[str, Any] | str:
        """What is seen there, by field of the outcome; or why that cannot be told."""
        ask = SEEING[surface]
        name = token(number, surface)
        async with self._room[cell.is_slow]:
            try:
                async with asyncio.timeout(LONGEST):
                    part = await ask(self._client, f"Please, {name}.", agent(number, cell, surface))
            except TimeoutError:
                return "it hangs"
            except (AssertionError, LookupError, ValueError, OSError):
                return traceback.format_exc(limit=-3)
        return part

    def _counted(self, found: dict[str, Seen]) -> dict[str, Seen]:
        """With the questions to each provider; those that are no runs are asked as often."""
        counts = {name: Counter[str]() for name in self._stage.providers}
        refused: dict[str, list[str]] = {}
        for name in self._stage.providers:
            for call in self._stage.calls(name):
                counts[name][call["asked"]] += 1
                if "refused" in call:
                    refused.setdefault(call["asked"], []).append(call["refused"])
        for number, cell in enumerate(self._stage.cells):
            names = [token(number, surface) for surface in SURFACES]
            asked = [tuple(counts[who][f"Please, {name}."] for who in "AB") for name in names]
            ran = {self._stage.traces(name) for name in names}
            one = found[cell.name]
            outcome = replace(one.outcome, calls=asked[0], runs=ran.pop())
            strange = {"calls": str(asked)} if len(set(asked)) > 1 else {}
            strange |= {"traces": str(ran)} if ran else {}
            complaints = [said for name in names for said in refused.get(f"Please, {name}.", [])]
            found[cell.name] = replace(
                one, outcome=outcome, trouble=one.trouble | strange, refused=complaints
            )
        return found


# ── surfaces ────────────────────────────────────────────────────────────────────────────────


async def see_run(client: Client, text: str, model: str) -> dict[str, Any]:
    started = await client.post("/v1/runs", {"input": text, "model": model})
    assert started.status == 202, started.body
    run_id, session = started.json["run_id"], started.json["session_id"]
    frames = [frame async for frame in client.stream(f"/v1/runs/{run_id}/events")]
    events = [frame.json for frame in frames if frame.comment is None]
    answer = await client.get(f"/v1/runs/{run_id}")
    record = answer.json
    keep_secret(answer.body, *(frame.data.encode() for frame in frames))
    kept = (await client.get(f"/api/sessions/{session}/messages")).json["data"]
    assert record["status"] == events[-1]["event"].removeprefix("run.")
    return {
        "events": views.events_of(events),
        "dropped": views.dropped(events),
        "output": plain(record["output"]),
        "said": views.said_of(kept),
    }


async def see_stream(client: Client, text: str, model: str) -> dict[str, Any]:
    body = {"model": model, "messages": [{"role": "user", "content": text}], "stream": True}
    status, answer = await _frames(client, "/v1/chat/completions", body)
    if isinstance(answer, bytes):
        # Nothing of the answer was sent when it failed.
        return {"stream": replace(views.whole_of(status, json.decode(answer)), sent=False)}
    return {"stream": views.stream_of(answer)}


async def see_whole(client: Client, text: str, model: str) -> dict[str, Any]:
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    answer = await client.post("/v1/chat/completions", body)
    keep_secret(answer.body)
    assert answer.headers["X-Angelia-Run-Id"].startswith("run_")
    return {"whole": views.whole_of(answer.status, answer.json)}


async def see_response(client: Client, text: str, model: str) -> dict[str, Any]:
    body = {"model": model, "input": text, "stream": True}
    status, answer = await _frames(client, "/v1/responses", body)
    if isinstance(answer, bytes):
        failed: Answer = views.whole_of(status, json.decode(answer))
        return {"response": f"unsent {failed.error}"}
    response, items = views.response_of(answer)
    return {"response": response, "items": items}


SEEING: dict[str, Callable[[Client, str, str], Awaitable[dict[str, Any]]]] = {
    "runs": see_run,
    "stream": see_stream,
    "whole": see_whole,
    "responses": see_response,
}


async def _frames(client: Client, path: str, body: Any) -> tuple[int, list[Frame] | bytes]:
    async with client.open("POST", path, body) as reader:
        if reader.status != 200:
            refusal = await reader.read()
            keep_secret(refusal)
            return reader.status, refusal
        frames = [frame async for frame in reader.frames() if frame.comment is None]
        keep_secret(*(frame.data.encode() for frame in frames))
        return 200, frames


def keep_secret(*sent: bytes) -> None:
    assert not any(SECRET.encode() in part for part in sent), "a key was shown"
