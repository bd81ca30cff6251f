"""Every event of a response's stream is described, and every description is of an event."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angelia.core.events import Entry
from angelia.surfaces.http.openapi.events import FORMS
from angelia.wire.responses.dialects import DIALECTS, Dialect
from angelia.wire.responses.server import Subject, Writer
from tests.surfaces.http.openapi.reading import faults
from tests.wire.chat.runs import runs


def shown(log: list[Entry], dialect: Dialect) -> list[dict[str, Any]]:
    writer = Writer(Subject("resp_1", "angelia", 1), dialect=dialect)
    return [msgspec.json.decode(frame.data) for frame in writer.write(log)]


@settings(max_examples=25)
@given(runs(), st.sampled_from(DIALECTS))
def test_what_is_streamed_is_described(log: list[Entry], dialect: Dialect) -> None:
    events = shown(log, dialect)
    assert events
    for event in events:
        assert faults(event["type"], event) == []


def test_an_event_is_told_by_its_type() -> None:
    event = {"type": "response.mcp_call.failed", "sequence_number": 1, "item_id": "mcp_1"}
    assert faults("responses.Event", {**event, "output_index": 0}) == []
    assert faults("responses.Event", event) != []
    assert faults("responses.Event", {**event, "output_index": 0, "type": "response.x"}) != []


@pytest.mark.parametrize("event", FORMS)
def test_every_type_has_a_schema(event: str) -> None:
    assert faults(event, {"type": "something else"}) != []
