"""Every log ever released must still fold to what it meant then."""

from pathlib import Path
from typing import get_args

import pytest
from msgspec import json

from angelia.core.events import DELTA_TYPES, AnyEvent
from angelia.core.run import evolve, fold, takeover
from angelia.core.state import RunState

LOGS = sorted((Path(__file__).parents[1] / "golden" / "logs").glob("*.jsonl"))


def read(path: Path) -> list[AnyEvent]:
    return [json.decode(line, type=AnyEvent) for line in path.read_bytes().splitlines()]


def summary(log: list[AnyEvent]) -> dict:
    """What the log means: the status behind every fact, and the state at the end."""
    state: RunState | None = None
    statuses: list[str] = []
    for event in log:
        if not isinstance(event, DELTA_TYPES):
            state = evolve(state, event)
            statuses.append(f"{event.__struct_config__.tag}: {state.status}")
    assert state is not None
    return {
        "statuses": statuses,
        "ending": json.decode(json.encode(state.ending)),
        "messages": json.decode(json.encode(state.messages)),
        "tools": [tool.name for tool in state.tools],
        "sampling": json.decode(json.encode(state.sampling)),
        "granted": sorted(state.granted),
        "unread": len(state.unread),
        "steps": state.steps,
        "usage": json.decode(json.encode(state.usage)),
        "output": state.output,
        "session_id": state.session_id,
        "cost": state.cost,
        "opening": state.opening,
        "user": state.user,
    }


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_of_an_earlier_release_means_what_it_meant(path):
    expected = json.decode(path.with_suffix(".json").read_bytes())
    found = summary(read(path))
    # Fields that a later release added are not in an old summary.
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_of_an_earlier_release_can_be_taken_over_at_any_place(path):
    log = read(path)
    for end in range(1, len(log)):
        fold([*log[:end], *takeover(log[:end], 99)])


def test_the_logs_hold_every_kind_of_event():
    kept = {type(event) for path in LOGS for event in read(path)}
    assert kept >= set(get_args(AnyEvent))
