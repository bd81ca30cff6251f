"""Both halves of each protocol: what our client sends is understood, what is served can be read."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw, ValidationError

from angelia.adapters.upstream.endpoint import PROTOCOLS, Endpoint, ProtocolName
from angelia.core.events import CallDelta, ReasoningDelta, TextDelta
from angelia.core.messages import (
    Assistant,
    FinishReason,
    Image,
    Prompt,
    Reasoning,
    Reply,
    Sampling,
    Text,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    Usage,
    User,
    user,
)
from angelia.surfaces.upstream import anthropic, chat, responses
from angelia.surfaces.upstream.asked import Asked
from angelia.surfaces.upstream.delivery import Dialect
from angelia.surfaces.upstream.frames import Chunk, Frame, Scripted
from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.server import RULES
from angelia.wire import sse
from tests.support.prose import prose

DIALECTS: dict[ProtocolName, Dialect] = {
    "chat": chat,
    "responses": responses,
    "anthropic": anthropic,
}
NAMES: tuple[ProtocolName, ...] = ("chat", "responses", "anthropic")
by_protocol = pytest.mark.parametrize("protocol", NAMES)

CONVERSATION = Prompt(
    "any",
    "Be brief.",
    (
        User((Text("look"), Image("data:image/png;base64,AAAA"))),
        Assistant((Text("I will."), ToolCall("a", "terminal", '{"x": 1}'))),
        ToolResult("a", "nothing there"),
        Assistant((Text("Nothing."),)),
        user("thanks"),
    ),
    (ToolSpec("terminal", "Runs", Raw(b'{"type":"object","properties":{}}')),),
    Sampling(max_tokens=99),
)


def sent(protocol: ProtocolName, prompt: Prompt, *, stream: bool = True) -> Asked:
    endpoint = Endpoint("http://x", "scripted", protocol)
    body = PROTOCOLS[protocol].request(prompt, endpoint, stream)
    assert list(RULES[DIALECTS[protocol]](body, Mint())) == []
    return DIALECTS[protocol].read(body)


@by_protocol
@pytest.mark.parametrize("stream", [True, False])
def test_what_our_client_sends_is_understood(protocol: ProtocolName, stream: bool):
    asked = sent(protocol, CONVERSATION, stream=stream)
    assert asked.stream is stream
    assert asked.usage
    assert asked.text == "thanks"
    assert asked.prompt.model == "scripted"
    assert [tool.name for tool in asked.prompt.tools] == ["terminal"]
    assert asked.prompt.sampling.max_tokens == 99
    users = [message for message in asked.prompt.messages if isinstance(message, User)]
    assert CONVERSATION.messages[0] == users[0]
    made = [m for m in asked.prompt.messages if isinstance(m, Assistant)]
    assert [message.text for message in made] == ["I will.", "Nothing."]
    assert [(call.id, call.name) for call in made[0].calls] == [("a", "terminal")]
    results = [m for m in asked.prompt.messages if isinstance(m, ToolResult)]
    assert [(result.call_id, result.output) for result in results] == [("a", "nothing there")]


@by_protocol
@pytest.mark.parametrize(
    "choice", [ToolChoice("none"), ToolChoice("required"), ToolChoice("named", "terminal")]
)
def test_the_choice_of_tools_is_understood(protocol: ProtocolName, choice: ToolChoice):
    prompt = Prompt("m", "", (user("x"),), CONVERSATION.tools, Sampling(tool_choice=choice))
    assert sent(protocol, prompt).prompt.sampling.tool_choice == choice


@by_protocol
@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"model":"m"}', b'{"model":1}'])
def test_what_is_no_request_is_refused(protocol: ProtocolName, body: bytes):
    with pytest.raises(ValidationError):
        DIALECTS[protocol].read(body)


# ── answers ─────────────────────────────────────────────────────────────────────────────────
# A model that says nothing but white space has not answered.
_text = prose(min_size=1, max_size=40).filter(str.strip)
_arguments = st.dictionaries(st.text("ab"), st.text(max_size=9)).map(json.dumps)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    parts = [Reasoning(draw(_text))] if draw(st.booleans()) else []
    calls = [
        ToolCall(f"call_{index}", "terminal", arguments)
        for index, arguments in enumerate(draw(st.lists(_arguments, max_size=3)))
    ]
    finish: FinishReason = "tool_calls" if calls else draw(st.sampled_from(["stop", "length"]))
    usage = draw(st.none() | st.just(Usage(input=9, output=5, cached=2)))
    return Reply(Assistant((*parts, Text(draw(_text)), *calls)), finish, usage, "scripted")


def same(got: Reply, wanted: Reply) -> None:
    assert got.message.text == wanted.message.text
    assert thoughts(got) == thoughts(wanted)
    calls = [(call.id, call.name, call.arguments) for call in got.message.calls]
    assert calls == [(call.id, call.name, call.arguments) for call in wanted.message.calls]
    assert (got.finish, got.usage, got.model) == (wanted.finish, wanted.usage, wanted.model)


def thoughts(reply: Reply) -> str:
    return "".join(part.text for part in reply.message.parts if isinstance(part, Reasoning))


@by_protocol
@settings(deadline=None)
@given(replies(), st.sampled_from(["word", "char", "all", 3]))
def test_a_stream_that_is_served_can_be_read(protocol: ProtocolName, reply: Reply, chunk: Chunk):
    scripted = Scripted(reply, "scripted", 3, chunk)
    frames = DIALECTS[protocol].stream(scripted, sent(protocol, CONVERSATION))
    reader, decoder = PROTOCOLS[protocol].reader(), sse.Decoder()
    deltas = [
        delta
        for frame in frames
        for event in decoder.feed(frame.data)
        for delta in reader.feed(event)
    ]
    same(reader.finish(), reply)
    assert reader.done
    assert "".join(d.text for d in deltas if isinstance(d, TextDelta)) == reply.message.text
    assert "".join(d.text for d in deltas if isinstance(d, ReasoningDelta)) == thoughts(reply)
    written = "".join(delta.arguments for delta in deltas if isinstance(delta, CallDelta))
    assert written == "".join(call.arguments for call in reply.message.calls)


@by_protocol
@settings(deadline=None)
@given(replies())
def test_a_whole_answer_that_is_served_can_be_read(protocol: ProtocolName, reply: Reply):
    asked = sent(protocol, CONVERSATION, stream=False)
    body = DIALECTS[protocol].whole(Scripted(reply, "scripted", 3), asked)
    same(PROTOCOLS[protocol].whole(body)[1], reply)


@by_protocol
def test_frames_are_of_the_kind_they_say(protocol: ProtocolName):
    parts = (Reasoning("hm hm"), Text("one two"), ToolCall("a", "terminal", '{"command":"ls"}'))
    scripted = Scripted(Reply(Assistant(parts), "tool_calls"), "scripted")
    frames = DIALECTS[protocol].stream(scripted, sent(protocol, CONVERSATION))
    order = [frame.kind for frame in frames if frame.kind not in ("mark", "end")]
    assert order[0] == "open"
    assert order[-1] == "finish"
    assert list(dict.fromkeys(order)) == [
        "open",
        "reasoning",
        "text",
        "arguments",
        "finish",
    ]


@by_protocol
def test_reasoning_comes_sealed_and_can_be_sent_back(protocol: ProtocolName):
    reply = Reply(Assistant((Reasoning("hm"), Text("x"))), "stop")
    asked = sent(protocol, CONVERSATION)
    body = DIALECTS[protocol].whole(Scripted(reply, "scripted"), asked)
    message = PROTOCOLS[protocol].whole(body)[1].message
    sealed = message.parts[0]
    assert isinstance(sealed, Reasoning)
    assert sealed.seal is not None
    assert sealed.seal.dialect == protocol
    back = Prompt("m", "", (user("x"), message, user("y")))
    again = PROTOCOLS[protocol].request(back, Endpoint("http://x", "m", protocol), True)
    assert b"hm" in again or protocol == "chat"
    assert list(RULES[DIALECTS[protocol]](again, Mint())) == []
    assert list(RULES[DIALECTS[protocol]](again, Mint("other"))) != []


def test_chat_sends_usage_in_a_stream_only_to_those_who_ask():
    reply = Reply(Assistant((Text("x"),)), "stop", Usage(1, 2))
    asked = Asked(Prompt("m", "", ()), stream=True, usage=False)
    assert not any(b"usage" in f.data for f in chat.stream(Scripted(reply, "m"), asked))


@by_protocol
def test_numbers_keep_answers_apart(protocol: ProtocolName):
    asked = sent(protocol, CONVERSATION)
    reply = Reply(Assistant((Text("x"),)), "stop")
    bodies = {DIALECTS[protocol].whole(Scripted(reply, "m", n), asked) for n in (1, 2)}
    assert len(bodies) == 2


def test_events_of_a_response_are_numbered_without_gaps():
    reply = Reply(Assistant((Reasoning("hm"), Text("a b"), ToolCall("c", "t", "{}"))), "tool_calls")
    frames = responses.stream(Scripted(reply, "m"), sent("responses", CONVERSATION))
    assert [_number(frame) for frame in frames] == list(range(len(frames)))


def _number(frame: Frame) -> int:
    _, _, rest = frame.data.partition(b'"sequence_number":')
    return int(rest[: rest.index(b",")])
