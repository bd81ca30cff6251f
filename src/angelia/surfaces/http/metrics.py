"""/metrics: what the process has counted, for Prometheus."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from angelia.errors import NotFound
from angelia.runtime.meters import Gauge, Meters
from angelia.runtime.runs import Runs
from angelia.surfaces.http.requests import caller, services
from angelia.surfaces.http.stream import Pulse

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


async def show(request: Request) -> Response:
    given = services(request)
    access = given.settings.server.metrics
    if access == "off":
        raise NotFound("This server has its metrics turned off.", code="not_found")
    if access == "key":
        await caller(request, "read", "admin")
    gauges = current(given.runs, request.app.state.pulse)
    # Loading the library and writing the text must not hold up anybody's stream.
    text = await asyncio.to_thread(_written, given.meters, gauges)
    return Response(text, headers={"Content-Type": CONTENT_TYPE})


def current(runs: Runs, pulse: Pulse) -> tuple[Gauge, ...]:
    return (
        Gauge("angelia_runs_under_way", "Runs that somebody works on.", runs.under_way),
        Gauge("angelia_runs_queued", "Runs that wait for their turn.", runs.queued),
        Gauge("angelia_runs_paused", "Runs that wait for the log to be writable.", runs.paused),
        Gauge("angelia_streams_open", "Streams of events that somebody reads.", len(pulse)),
        Gauge("angelia_tasks", "Tasks of the event loop.", len(asyncio.all_tasks())),
    )


def _written(meters: Meters, gauges: tuple[Gauge, ...]) -> bytes:
    from angelia.surfaces.http.exposition import exposed

    return exposed(meters, gauges)
