"""Any run in any protocol, from any cursor: GET /v1/runs/{id}/events?as=…"""

from starlette.requests import Request
from starlette.responses import Response

from angelia.core.legs import leg_around
from angelia.errors import BadRequest
from angelia.ports import ApiKey, Batch, RunRecord
from angelia.runtime.runs import Started
from angelia.surfaces.http import chat, responses, stopping
from angelia.surfaces.http.requests import services, shortened
from angelia.surfaces.http.serving import headers_of
from angelia.surfaces.http.stream import EventStream, View

PROTOCOLS = ("chat", "responses")


async def rendered(
    request: Request, key: ApiKey, run: RunRecord, protocol: str, after: int
) -> Response:
    """The leg that holds what follows the seq `after`, shown from there on."""
    if protocol not in PROTOCOLS:
        raise BadRequest(
            f"as is {shortened(protocol, 40)!r}; it can be {' or '.join(PROTOCOLS)}.", param="as"
        )
    facts = await services(request).runs.facts(run.id)
    around = leg_around(facts, after + 1)
    leg = Started(run, around.after if around else 0)
    view = chat.view(request, key, leg) if protocol == "chat" else responses.view(request, key, leg)
    shown = Behind(view, after, opens=after <= leg.after)
    path = f"{stopping.events_of(run.id)}?as={protocol}&after="
    return EventStream(
        shown,
        services(request).runs.follow(run.id, leg.after),
        pulse=request.app.state.pulse,
        headers=headers_of(leg),
        farewell=lambda: view.farewell(stopping.rest_at(f"{path}{shown.last}")),
    )


class Behind:
    """A view that tells nothing of the entries up to `after`, though it has read them.

    It `opens` where nothing of it is left out. `last` is the seq behind which its reader goes on.
    """

    def __init__(self, view: View, after: int, *, opens: bool) -> None:
        self._view = view
        self.last = self._after = after
        self._opens = opens

    @property
    def done(self) -> bool:
        return self._view.done

    def open(self) -> bytes:
        return self._view.open() if self._opens else b""

    def write(self, batch: Batch) -> bytes:
        known = tuple(entry for entry in batch.entries if entry.seq <= self._after)
        if known:
            self._view.write(Batch(known))
        new = batch.entries[len(known) :]
        self.last = max(self.last, batch.last)
        return self._view.write(Batch(new)) if new else b""
