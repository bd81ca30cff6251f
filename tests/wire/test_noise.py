"""Whatever an upstream sends, each protocol reads it to a reply or to an error of ours."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import Delta
from angelia.core.messages import Refusal, Reply, Text
from angelia.errors import UpstreamError, UpstreamGarbled
from angelia.wire import sse
from angelia.wire.anthropic import client as anthropic
from angelia.wire.chat import client as chat
from angelia.wire.responses import client as responses
from tests.wire.noise import BODIES, RECORDED, bytes_of, cut
from tests.wire.streams import calls_of, framed, reasoning_of, text_of

SPOKEN = {"chat": chat, "responses": responses, "anthropic": anthropic}
protocols = st.sampled_from(list(SPOKEN))
Outcome = tuple[str, str, object, Reply | tuple[type[UpstreamError], str]]


def outcome(protocol: str, pieces: Sequence[bytes]) -> Outcome:
    """What was shown, and how it ended."""
    decoder, reader = sse.Decoder(max_event=200_000), SPOKEN[protocol].Reader()
    deltas: list[Delta] = []
    try:
        for piece in pieces:
            for event in decoder.feed(piece):
                deltas += reader.feed(event)
        for event in decoder.close():
            deltas += reader.feed(event)
        end = reader.finish()
    except UpstreamError as error:
        end = (type(error), error.message)
    return text_of(deltas), reasoning_of(deltas), calls_of(deltas), end


@given(protocols, st.data())
def test_any_stream_ends_in_a_reply_or_an_upstream_error(protocol: str, data: st.DataObject):
    stream = data.draw(bytes_of(protocol))
    text, *_, end = outcome(protocol, [stream])
    if isinstance(end, Reply):
        assert end.message.parts
        said = (part.text for part in end.message.parts if isinstance(part, Text | Refusal))
        assert "".join(said) == text


@given(protocols, st.data())
def test_any_stream_ends_the_same_wherever_its_bytes_are_cut(protocol: str, data: st.DataObject):
    stream = data.draw(bytes_of(protocol).filter(lambda stream: len(stream) < 100_000))
    sizes = data.draw(st.lists(st.integers(0, 40), max_size=30))
    assert outcome(protocol, cut(stream, sizes)) == outcome(protocol, [stream])


@pytest.mark.parametrize("protocol", SPOKEN)
def test_a_good_stream_cut_off_at_any_byte_is_never_taken_for_a_longer_answer(protocol: str):
    stream = framed(RECORDED[protocol][1], named=protocol != "chat")
    *_, good = outcome(protocol, [stream])
    assert isinstance(good, Reply)
    for place in range(len(stream)):
        *_, end = outcome(protocol, [stream[:place]])
        assert not isinstance(end, Reply) or end.message == good.message


@pytest.mark.parametrize("protocol", SPOKEN)
def test_a_line_without_an_end_is_not_kept_forever(protocol: str):
    *_, end = outcome(protocol, [b"data: " + b"x" * 50_000] + [b"x" * 50_000] * 9)
    assert isinstance(end, tuple)
    assert end[0] is UpstreamGarbled


@given(protocols, st.data())
def test_any_body_is_a_reply_or_an_upstream_error(protocol: str, data: st.DataObject):
    body = data.draw(bytes_of(protocol))
    try:
        _, reply = SPOKEN[protocol].whole(body)
    except UpstreamError:
        return
    assert reply.message.parts


@pytest.mark.parametrize("protocol", SPOKEN)
def test_the_bodies_that_are_damaged_here_are_good_ones(protocol: str):
    assert SPOKEN[protocol].whole(json.encode(BODIES[protocol]))[1].message.parts
