from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from angelia.assembly.services import open_services
from angelia.config import load
from angelia.surfaces.cli.ask import Ask, Source
from angelia.surfaces.cli.embedded import Embedded


@pytest.fixture
async def source(tmp_path: Path) -> AsyncIterator[Source]:
    (tmp_path / "angelia.toml").write_text('[approvals]\nask = ["write_file"]\n')
    async with open_services(load({"ANGELIA_LOG": "error"}, home=tmp_path)) as services:
        yield Embedded(services)


async def kinds(source: Source, run_id: str) -> list[str]:
    return [msgspec.json.decode(data)["event"] async for data in source.events(run_id)]


async def test_events_are_those_of_the_run_api(source: Source) -> None:
    run_id = await source.start(Ask("Run `true`."))
    events = [msgspec.json.decode(data) async for data in source.events(run_id)]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["event"] == "run.started"
    assert events[-1]["event"] == "run.completed"


async def test_a_session_goes_on_where_it_was(source: Source) -> None:
    await kinds(source, await source.start(Ask("long 3", session="s")))
    run_id = await source.start(Ask("long 2", session="s"))
    events = [msgspec.json.decode(data) async for data in source.events(run_id)]
    assert events[0]["session_id"] == "s"
    said = "long 3, word1 word2 word3, long 2"
    assert events[-1]["usage"]["input_tokens"] == len(said.split())


async def test_a_budget_holds(source: Source) -> None:
    run_id = await source.start(Ask("Run `true`.", max_steps=1))
    assert (await kinds(source, run_id))[-1] == "run.failed"


async def test_a_stop_ends_the_run(source: Source) -> None:
    run_id = await source.start(Ask("sleep 60"))
    await source.stop(run_id)
    assert (await kinds(source, run_id))[-1] == "run.cancelled"


@pytest.mark.parametrize(("choice", "outcome"), [("once", "ok"), ("deny", "denied")])
async def test_what_waits_for_consent_goes_on_with_it(
    source: Source, choice: str, outcome: str
) -> None:
    run_id = await source.start(Ask("write note.txt: hello"))
    outcomes: list[str] = []
    async for data in source.events(run_id):
        event = msgspec.json.decode(data)
        if event["event"] == "approval.requested":
            await source.consent(run_id, event["approval_id"], choice, "")
        if event["event"] == "tool.completed":
            outcomes.append(event["outcome"])
    assert outcomes == [outcome]
