from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.messages import Assistant, Message, Reasoning, Refusal, Text, ToolCall, Usage
from tests.core.transcripts import transcripts

counts = st.integers(0, 10**6)
usages = st.builds(Usage, counts, counts, counts, counts, counts)


def test_the_text_of_a_message_is_what_was_said_and_nothing_else():
    call = ToolCall("c1", "look", "{}")
    message = Assistant((Reasoning("hm"), Text("Hel"), call, Text("lo"), Refusal("no")))
    assert message.text == "Hello"
    assert message.calls == (call,)


@given(usages, usages, usages)
def test_usage_adds_up_in_any_order(a, b, c):
    assert (a + b) + c == a + (c + b)
    assert a + Usage() == a
    assert (a + b).total == a.total + b.total


@given(transcripts)
def test_a_transcript_survives_json(transcript):
    assert json.decode(json.encode(transcript), type=tuple[Message, ...]) == transcript
