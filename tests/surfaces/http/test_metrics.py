"""/metrics of a real server: who may read it, and that it counts what happens."""

import re
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from angelia.runtime.meters import Meters
from angelia.surfaces.http.exposition import exposed
from angelia.surfaces.http.metrics import current
from angelia.surfaces.http.stream import Pulse
from tests.stories.test_runs import events, start
from tests.support.http import Client
from tests.support.server import AngeliaServer

PAGE = Path(__file__).parents[3] / "docs" / "metrics.md"
OPEN = '[server]\nmetrics = "open"\n'
OFF = '[server]\nmetrics = "off"\n'


class NoRuns:
    under_way = queued = paused = 0


async def samples(client: Client) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = await client.get("/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }


def total(found: Any, name: str, **labels: str) -> float:
    wanted = labels.items()
    return sum(value for (key, given), value in found.items() if key == name and given >= wanted)


async def test_what_happens_is_counted(server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        await events(client, await start(client, "say `echo one` and `exit 3`"))
        await client.get("/v1/runs/run_nobody")
        await client.get("/nowhere")
        await client.get("/v1/capabilities")
        found = await samples(client)
    assert total(found, "angelia_runs_started_total", surface="runs", model="angelia") == 1
    assert total(found, "angelia_runs_ended_total", status="completed") == 1
    assert total(found, "angelia_tool_calls_total", tool="terminal", outcome="ok") >= 1
    assert total(found, "angelia_tool_calls_total") == 2
    assert total(found, "angelia_tool_seconds_count", tool="terminal") == 2
    assert total(found, "angelia_model_seconds_count", model="angelia") == 2
    assert total(found, "angelia_model_first_delta_seconds_count") == 2
    assert total(found, "angelia_tokens_total", kind="output") > 0
    assert total(found, "angelia_log_append_seconds_count") > 3
    run = {"route": "/v1/runs/{run_id}", "method": "GET", "status": "404"}
    assert total(found, "angelia_http_requests_total", **run) == 1
    assert total(found, "angelia_http_requests_total", route="unmatched", status="404") == 1
    assert total(found, "angelia_http_requests_total", route="/v1/runs", status="202") == 1
    assert total(found, "angelia_runs_under_way") == 0


async def test_open_streams_and_runs_under_way_are_seen_while_they_last(
    server: AngeliaServer,
) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await start(client, "say `sleep 30`")
        async with client.open("GET", f"/v1/runs/{run_id}/events") as reader:
            async for frame in reader.frames():
                if frame.comment is None and frame.json["event"] == "tool.started":
                    break
            found = await samples(client)
        await client.post(f"/v1/runs/{run_id}/stop")
    assert total(found, "angelia_streams_open") == 1
    assert total(found, "angelia_runs_under_way") == 1
    assert total(found, "angelia_tasks") >= 2


async def test_no_key_no_id_and_no_text_is_ever_a_label(server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await start(client, "say `echo a-private-word`", user="ulysses")
        await events(client, run_id)
        text = (await client.get("/metrics")).body.decode()
    for private in (run_id, "a-private-word", "ulysses", server.key, "key_first"):
        assert private not in text


async def test_strangers_are_refused(demo_server: AngeliaServer) -> None:
    async with Client(demo_server.url) as client:
        answer = await client.get("/metrics")
    assert (answer.status, answer.json["error"]["code"]) == (401, "invalid_api_key")


@pytest.mark.parametrize(("settings", "status"), [(OPEN, 200), (OFF, 404)])
async def test_the_settings_decide_who_may_look(
    server: AngeliaServer, settings: str, status: int
) -> None:
    server.stop()
    (server.home / "angelia.toml").write_text(settings)
    server.start()
    async with Client(server.url) as client:
        assert (await client.get("/metrics")).status == status


async def test_the_page_lists_every_metric_with_its_labels_and_no_other() -> None:
    meters = Meters()
    runs: Any = NoRuns()
    text = exposed(meters, current(runs, Pulse(15, patience=30))).decode()
    known = set(re.findall(r"^# TYPE (angelia_\w+) ", text, re.MULTILINE))
    rows = dict(re.findall(r"^\| `(angelia_\w+)` \|([^|]*)\|", PAGE.read_text(), re.MULTILINE))
    assert set(rows) == known
    for meter in (*meters.counters, *meters.histograms):
        row = rows.get(f"{meter.name}_total", rows.get(meter.name, ""))
        assert tuple(re.findall(r"`(\w+)`", row)) == meter.labels
