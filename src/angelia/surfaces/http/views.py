"""/v1/runs/{run_id}/views: what the followers of each protocol got for each entry of a run."""

from collections.abc import Callable, Set
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.events import Entry
from angelia.core.legs import legs
from angelia.errors import BadRequest
from angelia.ports import ApiKey, Batch, RunRecord
from angelia.runtime.library import released
from angelia.runtime.runs import Runs, Started
from angelia.surfaces.http import chat, responses
from angelia.surfaces.http.requests import caller, services, shortened, whole_number
from angelia.surfaces.http.stream import View
from angelia.wire.chat.dialects import DIALECTS as TOOL_EVENTS
from angelia.wire.chat.dialects import Dialect as ToolEvents
from angelia.wire.responses.dialects import DIALECTS as TOOL_ITEMS
from angelia.wire.responses.dialects import Dialect as ToolItems
from angelia.wire.runs.server import name_of, render
from angelia.wire.runs.shapes import ViewOut, ViewsOut

USUAL, MOST = 500, 1000

D = TypeVar("D", bound=str)
# The chat completion and the response of one leg.
Pair = tuple[View, View]


async def find(request: Request) -> Response:
    """As much as the log holds now; a run under way has more later."""
    key = await caller(request, "runs", "read")
    runs = services(request).runs
    run = await runs.get(key.id, request.path_params["run_id"])
    query = request.query_params
    after = whole_number(query.get("after", "0"), "after")
    limit = whole_number(query.get("limit", str(USUAL)), "limit", least=1, most=MOST)
    pair = _pairs(request, key, run)
    if after > run.last_seq:
        raise BadRequest(f"The run has {run.last_seq} events; none follows {after}.", param="after")
    last = min(after + limit, run.last_seq)
    shown = await _shown(runs, run, pair, after, last) if after < last else []
    answer = ViewsOut(run.id, shown, has_more=last < run.last_seq)
    return Response(msgspec.json.encode(answer), media_type="application/json")


def _pairs(request: Request, key: ApiKey, run: RunRecord) -> Callable[[int], Pair]:
    """What makes the views of the leg behind a seq, in the forms that the query names."""
    events: ToolEvents | None = _choice(request, "tool_events", TOOL_EVENTS)
    items: ToolItems | None = _choice(request, "tool_items", TOOL_ITEMS)

    def pair(after: int) -> Pair:
        leg = Started(run, after)
        return chat.view(request, key, leg, events), responses.view(request, key, leg, items)

    return pair


def _choice(request: Request, name: str, choices: tuple[D, ...]) -> D | None:
    text = request.query_params.get(name)
    if not text:
        return None
    for choice in choices:
        if choice == text:
            return choice
    raise BadRequest(
        f"{name} is {shortened(text, 40)!r}; it can be {', '.join(choices)}.", param=name
    )


async def _shown(
    runs: Runs, run: RunRecord, pair: Callable[[int], Pair], after: int, last: int
) -> list[ViewOut]:
    """The entries behind `after` up to `last`, which are all in the log."""
    begins = {leg.after for leg in legs(await runs.facts(run.id))}
    first = max(begin for begin in begins if begin <= after)
    columns = Columns(pair, begins, first)
    shown: list[ViewOut] = []
    async with released(runs.follow(run.id, first)) as batches:
        async for batch in batches:
            columns.skip(tuple(entry for entry in batch.entries if entry.seq <= after))
            new = (entry for entry in batch.entries if after < entry.seq <= last)
            shown += map(columns.show, new)
            if batch.last >= last:
                break
    return shown


class Columns:
    """A run in every protocol, entry by entry, from the leg behind the seq `first`.

    `begins` are the seqs that legs begin behind. A protocol has nothing to say between two legs.
    """

    def __init__(self, pair: Callable[[int], Pair], begins: Set[int], first: int) -> None:
        self._pair = pair
        self._begins = begins
        self._chat, self._response = pair(first)

    def skip(self, entries: tuple[Entry, ...]) -> None:
        """Reads entries of the first leg, or behind its end, without telling of them."""
        if entries:
            self._chat.write(Batch(entries))
            self._response.write(Batch(entries))

    def show(self, entry: Entry) -> ViewOut:
        opening = (b"", b"")
        if entry.seq - 1 in self._begins:
            self._chat, self._response = self._pair(entry.seq - 1)
            opening = (self._chat.open(), self._response.open())
        batch = Batch((entry,))
        return ViewOut(
            seq=entry.seq,
            timestamp=entry.at,
            event=name_of(entry),
            runs=render(batch.entries).decode(),
            chat=(opening[0] + self._chat.write(batch)).decode(),
            responses=(opening[1] + self._response.write(batch)).decode(),
        )
