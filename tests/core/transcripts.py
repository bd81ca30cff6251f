"""Strategies for everything that can stand in a transcript, from any dialect."""

from hypothesis import strategies as st
from msgspec import UNSET, Raw, json

from angelia.core.messages import (
    Assistant,
    Image,
    Prompt,
    Reasoning,
    Refusal,
    Sampling,
    Seal,
    System,
    Text,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    User,
)

texts = st.one_of(st.sampled_from(["", " ", "\n", "Hello.", "Ünïcode 🦉"]), st.text(max_size=12))
call_ids = st.one_of(
    st.sampled_from(["call_0", "call_1", "toolu_01A", "functions.read:0", "", "é", "x" * 70]),
    st.text(max_size=6),
)
arguments = st.one_of(
    st.sampled_from(["", "{}", '{"a": 1}', '{"a": ', "[1]", "null", '{"a":NaN}', ' {"b" : "é"} ']),
    st.text(max_size=8),
)

_sealed = {
    "responses": (
        '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"}',
        '{"type":"reasoning","id":"rs_2","summary":[]}',
        "not json",
    ),
    "anthropic": (
        '{"type":"thinking","thinking":"hm","signature":"c2ln"}',
        '{"type":"redacted_thinking","data":"RW5j"}',
        "not json",
    ),
    "chat": ('{"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]}',),
}
seals = st.sampled_from([Seal(dialect, data) for dialect, all_ in _sealed.items() for data in all_])

images = st.sampled_from(
    [
        Image("https://example.org/a.png"),
        Image("http://example.org/a.png", "low"),
        Image("data:image/png;base64,iVBORw0KGgo="),
        Image("data:image/jpg;base64,/9j/4AAQ"),
        Image("data:image/svg+xml;base64,PHN2Zz4="),
        Image("data:text/plain,hello"),
        Image("file:///etc/passwd"),
    ]
)
calls = st.builds(ToolCall, call_ids, st.sampled_from(["read", "a.b/c", "", "x" * 80]), arguments)
assistants = st.builds(
    Assistant,
    st.lists(
        st.one_of(
            st.builds(Text, texts),
            st.builds(Refusal, texts),
            st.builds(Reasoning, texts, st.none() | seals),
            calls,
        ),
        max_size=5,
    ).map(tuple),
)
users = st.builds(User, st.lists(st.builds(Text, texts) | images, max_size=3).map(tuple))
messages = st.one_of(
    st.builds(System, texts),
    users,
    assistants,
    assistants,
    st.builds(ToolResult, call_ids, texts, st.booleans()),
)
transcripts = st.lists(messages, max_size=8).map(tuple)

specs = st.builds(
    ToolSpec,
    st.sampled_from(["read", "write", "search"]),
    texts,
    st.sampled_from([Raw(b"{}"), Raw(b'{"properties":{}}'), Raw(b'{"type":"object"}')]),
    strict=st.none() | st.booleans(),
)
choices = st.sampled_from(
    [ToolChoice(), ToolChoice("none"), ToolChoice("required"), ToolChoice("named", "read")]
)
formats = st.sampled_from(
    [
        UNSET,
        Raw(b'{"type":"text"}'),
        Raw(b'{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}'),
    ]
)
samplings = st.builds(
    Sampling,
    temperature=st.none() | st.floats(0, 2),
    top_p=st.none() | st.floats(0.1, 1),
    max_tokens=st.none() | st.integers(1, 100_000),
    stop=st.lists(texts, max_size=2).map(tuple),
    reasoning_effort=st.sampled_from([None, "none", "minimal", "low", "high", "xhigh", "odd"]),
    response_format=formats,
    parallel_tool_calls=st.none() | st.booleans(),
    tool_choice=choices,
    user=st.none() | st.just("u-1"),
)
prompts = st.builds(
    Prompt,
    st.just("asked-for"),
    texts,
    transcripts,
    st.lists(specs, max_size=3, unique_by=lambda spec: spec.name).map(tuple),
    samplings,
)


def decoded(body: bytes) -> dict:
    return json.decode(body)
