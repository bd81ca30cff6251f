"""Whatever bytes an upstream may send: recorded streams, damaged and disguised, or noise."""

from collections.abc import Sequence

from hypothesis import strategies as st
from msgspec import json

from tests.wire.anthropic import streams as anthropic
from tests.wire.responses import streams as responses
from tests.wire.streams import damaged


def _chunk(finish: str | None = None, **delta: object) -> dict:
    return {"id": "x", "model": "m", "choices": [{"delta": delta, "finish_reason": finish}]}


def _call(**fields: object) -> dict:
    return _chunk(tool_calls=[{"index": 0, **fields}])


CHAT = (
    [_chunk(role="assistant", content=""), _chunk(content="Grüße 🦉"), _chunk("stop")],
    [
        _chunk(reasoning_content="hm"),
        _call(id="a", function={"name": "f", "arguments": ""}),
        _call(function={"arguments": '{"pa'}),
        _call(function={"arguments": 'th": 1}'}),
        _chunk("tool_calls"),
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
    ],
    [_chunk(content="x"), {"error": {"message": "Overloaded", "code": 529}}],
)
RECORDED = {"chat": CHAT, "responses": responses.ALL, "anthropic": anthropic.ALL}
BODIES = {
    "chat": {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]},
    "responses": responses.response("completed", [responses.message(responses.output_text("hi"))]),
    "anthropic": anthropic.BODY,
}

BOM = b"\xef\xbb\xbf"
GIANT = b"data: " + b"x" * 300_000 + b"\n\n"
ODDITIES = (
    b"",
    BOM,
    b": ping\n\n",
    b"\r",
    b"\n",
    b"\x00",
    b"\xff\xfe",
    b"\xf0\x9f\xa6",
    b"data: [DONE]\n\n",
    b"data:\n\n",
    b"data: null\n\n",
    b"data: " + b"[" * 5_000 + b"\n\n",
    b"retry: 1\nid: \x00\nevent: error\n",
    b"event: error\ndata: no\n\n",
    GIANT,
)


@st.composite
def disguised(draw: st.DrawFn, protocol: str) -> bytes:
    """A damaged stream with other line ends, and oddities put somewhere."""
    stream = draw(damaged(RECORDED[protocol]))
    ends = draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    stream = stream.replace(b"\n", ends)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(stream)))
        stream = stream[:place] + draw(st.sampled_from(ODDITIES)) + stream[place:]
    return (BOM if draw(st.booleans()) else b"") + stream


@st.composite
def damaged_body(draw: st.DrawFn, protocol: str) -> bytes:
    body = json.encode(BODIES[protocol])
    place = draw(st.integers(0, len(body)))
    lost = draw(st.integers(0, 5))
    return body[:place] + draw(st.binary(max_size=4)) + body[place + lost :]


def bytes_of(protocol: str) -> st.SearchStrategy[bytes]:
    return st.one_of(disguised(protocol), damaged_body(protocol), st.binary(max_size=300))


def cut(data: bytes, sizes: Sequence[int]) -> list[bytes]:
    """Pieces of these sizes, and the rest."""
    pieces: list[bytes] = []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    return [*pieces, data]
