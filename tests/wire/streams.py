"""Recorded-like streams of events as bytes, and ways to damage them."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import CallDelta, Delta, ReasoningDelta, TextDelta
from angelia.core.messages import Reply
from angelia.errors import AngeliaError, UpstreamGarbled
from angelia.wire import sse

Events = Sequence[dict]


def framed(events: Events, *, named: bool = True) -> bytes:
    return b"".join(
        sse.encode(json.encode(event), name=event["type"] if named else None) for event in events
    )


def read(reader, stream: bytes, sizes: Sequence[int] = ()) -> tuple[list[Delta], Reply]:
    """The stream cut into chunks of these sizes, the rest at once."""
    decoder = sse.Decoder()
    deltas: list[Delta] = []
    for size in (*sizes, len(stream)):
        chunk, stream = stream[:size], stream[size:]
        for event in decoder.feed(chunk):
            deltas += reader.feed(event)
    return deltas, reader.finish()


def text_of(deltas: Sequence[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def reasoning_of(deltas: Sequence[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, ReasoningDelta))


def calls_of(deltas: Sequence[Delta]) -> list[tuple[str | None, str | None, str]]:
    calls: dict[int, tuple[str | None, str | None, str]] = {}
    for delta in deltas:
        if isinstance(delta, CallDelta):
            id_, name, arguments = calls.get(delta.index, (None, None, ""))
            new = (delta.id or id_, delta.name or name, arguments + delta.arguments)
            calls[delta.index] = new
    return list(calls.values())


odd_values = st.sampled_from([None, 1, -1, "", "x", [], {}, [1], {"a": 1}, True, 1.5])


@st.composite
def damaged(draw: Callable, streams: Sequence[Events]) -> bytes:
    """A stream with events lost, repeated, swapped, of odd content, or cut anywhere."""
    events = [dict(event) for event in draw(st.sampled_from(streams))]
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(events) - 1))
        match draw(st.sampled_from(["drop", "repeat", "swap", "odd", "lose"])):
            case "drop" if len(events) > 1:
                del events[place]
            case "repeat":
                events.insert(place, events[place])
            case "swap":
                other = draw(st.integers(0, len(events) - 1))
                events[place], events[other] = events[other], events[place]
            case "odd":
                key = draw(st.sampled_from(sorted(events[place])))
                events[place] = events[place] | {key: draw(odd_values)}
            case _:
                key = draw(st.sampled_from(sorted(events[place])))
                events[place] = {k: v for k, v in events[place].items() if k != key}
                if not events[place]:
                    events[place] = {"type": "ping"}
    framing = [
        sse.encode(json.encode(event), name=event.get("type") if named(event) else None)
        for event in events
    ]
    stream = b"".join(framing)
    if draw(st.booleans()):
        stream = stream[: draw(st.integers(0, len(stream)))]
    if draw(st.booleans()) and stream:
        place = draw(st.integers(0, len(stream) - 1))
        stream = stream[:place] + draw(st.binary(min_size=1, max_size=3)) + stream[place + 1 :]
    return stream


def named(event: dict) -> bool:
    return isinstance(event.get("type"), str) and "\n" not in event["type"]


def check_garbled(reader, stream: bytes) -> None:
    with pytest.raises(UpstreamGarbled):
        read(reader, stream)


def check_damaged(reader, stream: bytes) -> None:
    """It ends in an error of ours, or in a reply that is whole."""
    try:
        deltas, reply = read(reader, stream)
    except AngeliaError:
        return
    assert reply.message.parts
    assert all(call.name and call.id for call in reply.message.calls)
    indexes = {delta.index for delta in deltas if isinstance(delta, CallDelta)}
    assert len(indexes) == len(reply.message.calls)
