"""Streams as Anthropic Messages endpoints send them."""

from typing import Any


def start(**usage: Any) -> dict:
    return {
        "type": "message_start",
        "message": {
            "id": "msg_01",
            "type": "message",
            "role": "assistant",
            "model": "claude-test-1",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {
                "input_tokens": 10,
                "cache_read_input_tokens": 200,
                "cache_creation_input_tokens": 30,
                "output_tokens": 1,
                "service_tier": "standard",
                **usage,
            },
        },
    }


def block(index: int, opened: dict, *deltas: dict) -> list[dict]:
    return [
        {"type": "content_block_start", "index": index, "content_block": opened},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(index: int, *pieces: str) -> list[dict]:
    deltas = ({"type": "text_delta", "text": piece} for piece in pieces)
    return block(index, {"type": "text", "text": ""}, *deltas)


def thinking(index: int, *pieces: str, signature: str = "RXFvQ2tn") -> list[dict]:
    opened = {"type": "thinking", "thinking": "", "signature": ""}
    deltas = ({"type": "thinking_delta", "thinking": piece} for piece in pieces)
    return block(index, opened, *deltas, {"type": "signature_delta", "signature": signature})


def tool_use(index: int, *pieces: str, n: int = 1) -> list[dict]:
    opened = {"type": "tool_use", "id": f"toolu_0{n}", "name": "read_file", "input": {}}
    deltas = ({"type": "input_json_delta", "partial_json": piece} for piece in pieces)
    return block(index, opened, *deltas)


def end(stop_reason: str, **fields: Any) -> list[dict]:
    return [
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason, "stop_sequence": None, **fields},
            "usage": {"output_tokens": 89},
        },
        {"type": "message_stop"},
    ]


TEXT = [start(), {"type": "ping"}, *text(0, "Hel", "lo, wörld 🦉"), *end("end_turn")]
CALLS = [
    start(),
    *thinking(0, "The file ", "first."),
    *block(1, {"type": "redacted_thinking", "data": "RW5jcnlwdGVk"}),
    *text(2, "Let me see."),
    *tool_use(3, "", '{"path"', ': "a.txt" , "n":1.0', "}", n=1),
    *tool_use(4, n=2),
    *end("tool_use"),
]
SERVER_TOOL = [
    start(),
    *block(
        0,
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"query": "x"}'},
    ),
    *block(1, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}),
    *block(
        2,
        {"type": "text", "text": ""},
        {"type": "citations_delta", "citation": {"type": "web_search_result_location"}},
        {"type": "text_delta", "text": "Found."},
    ),
    *end("end_turn"),
]
CUT_OFF = [start(), *text(0, "Once upon"), *end("max_tokens")]
REFUSED = [start(), *end("refusal")]
ALL = (TEXT, CALLS, SERVER_TOOL, CUT_OFF, REFUSED)

BODY = {
    "id": "msg_01",
    "type": "message",
    "role": "assistant",
    "model": "claude-test-1",
    "content": [
        {"type": "thinking", "thinking": "The file first.", "signature": "RXFvQ2tn"},
        {"type": "redacted_thinking", "data": "RW5jcnlwdGVk"},
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "toolu_01", "name": "read_file", "input": {"path": "a.txt"}},
        {"type": "tool_use", "id": "toolu_02", "name": "read_file", "input": {}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {
        "input_tokens": 10,
        "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 30,
        "output_tokens": 89,
    },
}
