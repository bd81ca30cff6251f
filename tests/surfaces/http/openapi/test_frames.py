"""What a stream writes is what the document says of it."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from angelia.core.events import Entry
from angelia.wire.chat.dialects import DIALECTS, Dialect
from angelia.wire.chat.server import Writer
from angelia.wire.runs.server import render
from angelia.wire.sse import Decoder
from tests.surfaces.http.openapi.reading import faults
from tests.wire.chat.runs import runs
from tests.wire.runs.test_server import CASES

SCHEMA_OF = {"message": "ChatChunk", "hermes.tool.progress": "ToolProgressChunk"}


def chat_faults(name: str, data: dict[str, Any]) -> list[str]:
    return faults("Error" if "error" in data else SCHEMA_OF[name], data)


@settings(max_examples=25)
@given(runs(), st.sampled_from(DIALECTS), st.booleans())
def test_every_chunk_of_a_chat_stream_is_described(
    log: list[Entry], dialect: Dialect, include_usage: bool
) -> None:
    writer = Writer(
        completion_id="chatcmpl-1",
        model="angelia",
        created=1,
        dialect=dialect,
        include_usage=include_usage,
    )
    events = Decoder().feed(writer.open() + writer.write(log))
    assert events
    for event in events:
        if event.data != b"[DONE]":
            assert chat_faults(event.name, msgspec.json.decode(event.data)) == []


def test_every_event_of_a_run_is_described() -> None:
    log = [Entry("run_1", seq, 1.5, event) for seq, (event, _) in enumerate(CASES, 1)]
    for event in Decoder().feed(render(log)):
        assert faults("runs.Event", msgspec.json.decode(event.data)) == []


def test_an_event_that_lacks_a_field_is_not() -> None:
    event = {"event": "message.delta", "run_id": "run_1", "seq": 1, "timestamp": 1.0}
    assert faults("runs.Event", {**event, "delta": "x"}) == []
    assert faults("runs.Event", event) != []
