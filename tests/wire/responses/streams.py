"""Streams as Responses endpoints send them."""

from typing import Any

USAGE = {
    "input_tokens": 75,
    "input_tokens_details": {"cached_tokens": 32, "cache_write_tokens": 8},
    "output_tokens": 120,
    "output_tokens_details": {"reasoning_tokens": 64},
    "total_tokens": 195,
}


def response(status: str, output: list[dict] | None = None, **fields: Any) -> dict:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1753600000,
        "model": "gpt-test-1",
        "status": status,
        "output": output or [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "temperature": 1.0,
        "top_p": 1.0,
        "usage": None,
        **fields,
    }


def message(*parts: dict, status: str = "completed") -> dict:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": list(parts),
    }


def output_text(text: str) -> dict:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def call(arguments: str = "", n: int = 1, status: str = "completed") -> dict:
    return {
        "id": f"fc_{n}",
        "type": "function_call",
        "status": status,
        "call_id": f"call_{n}aB",
        "name": "read_file",
        "arguments": arguments,
    }


REASONING = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": [
        {"type": "summary_text", "text": "Look at the file."},
        {"type": "summary_text", "text": "Then answer."},
    ],
    "encrypted_content": "gAAAAABo",
}


def numbered(events: list[dict]) -> list[dict]:
    return [{**event, "sequence_number": n} for n, event in enumerate(events)]


def started() -> list[dict]:
    return [
        {"type": "response.created", "response": response("in_progress")},
        {"type": "response.in_progress", "response": response("in_progress")},
    ]


def text_events(output: int, *pieces: str) -> list[dict]:
    at = {"item_id": "msg_1", "output_index": output, "content_index": 0}
    text = "".join(pieces)
    return [
        {
            "type": "response.output_item.added",
            "output_index": output,
            "item": message(status="in_progress"),
        },
        {"type": "response.content_part.added", **at, "part": output_text("")},
        *(
            {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
            for piece in pieces
        ),
        {"type": "response.output_text.done", **at, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": output_text(text)},
        {
            "type": "response.output_item.done",
            "output_index": output,
            "item": message(output_text(text)),
        },
    ]


def call_events(output: int, *pieces: str, n: int = 1) -> list[dict]:
    at = {"item_id": f"fc_{n}", "output_index": output}
    whole = "".join(pieces)
    return [
        {
            "type": "response.output_item.added",
            "output_index": output,
            "item": call(n=n, status="in_progress"),
        },
        *(
            {"type": "response.function_call_arguments.delta", **at, "delta": piece}
            for piece in pieces
        ),
        {
            "type": "response.function_call_arguments.done",
            **at,
            "name": "read_file",
            "arguments": whole,
        },
        {"type": "response.output_item.done", "output_index": output, "item": call(whole, n)},
    ]


def reasoning_events(output: int) -> list[dict]:
    at = {"item_id": "rs_1", "output_index": output}
    kind = "response.reasoning_summary_text"
    events: list[dict] = [
        {
            "type": "response.output_item.added",
            "output_index": output,
            "item": {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gA"},
        }
    ]
    for index, summary in enumerate(REASONING["summary"]):
        place = {**at, "summary_index": index}
        text = summary["text"]
        part = {"type": "summary_text", "text": ""}
        events += [
            {"type": "response.reasoning_summary_part.added", **place, "part": part},
            {"type": f"{kind}.delta", **place, "delta": text[:4]},
            {"type": f"{kind}.delta", **place, "delta": text[4:]},
            {"type": f"{kind}.done", **place, "text": text},
            {"type": "response.reasoning_summary_part.done", **place, "part": summary},
        ]
    done = {"type": "response.output_item.done", "output_index": output, "item": REASONING}
    return [*events, done]


def completed(*output: dict) -> dict:
    return {
        "type": "response.completed",
        "response": response("completed", list(output), usage=USAGE),
    }


TEXT = numbered(
    [
        *started(),
        *text_events(0, "Hel", "lo, ", "wörld 🦉"),
        completed(message(output_text("Hello, wörld 🦉"))),
    ]
)
ARGUMENTS = ('{"path"', ': "a.txt" , "n":1.0', "}")
CALLS = numbered(
    [
        *started(),
        *reasoning_events(0),
        *text_events(1, "Let me see."),
        *call_events(2, *ARGUMENTS, n=1),
        *call_events(3, n=2),
        completed(
            REASONING, message(output_text("Let me see.")), call("".join(ARGUMENTS)), call("", 2)
        ),
    ]
)
REFUSAL = numbered(
    [
        *started(),
        {
            "type": "response.refusal.delta",
            "item_id": "msg_1",
            "output_index": 0,
            "content_index": 0,
            "delta": "I can't",
        },
        {
            "type": "response.refusal.done",
            "item_id": "msg_1",
            "output_index": 0,
            "content_index": 0,
            "refusal": "I can't do that.",
        },
        completed(message({"type": "refusal", "refusal": "I can't do that."})),
    ]
)
CUT_OFF = numbered(
    [
        *started(),
        *text_events(0, "Once upon"),
        {
            "type": "response.incomplete",
            "response": response(
                "incomplete",
                [message(output_text("Once upon"), status="incomplete")],
                incomplete_details={"reason": "max_output_tokens"},
                usage=USAGE,
            ),
        },
    ]
)
OPEN_REASONING = numbered(
    [
        *started(),
        {
            "type": "response.reasoning_text.delta",
            "item_id": "rs_1",
            "output_index": 0,
            "content_index": 0,
            "delta": "Thinking aloud.",
        },
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {
                "id": "rs_1",
                "type": "reasoning",
                "summary": [],
                "content": [{"type": "reasoning_text", "text": "Thinking aloud."}],
            },
        },
        *text_events(1, "Done."),
        completed(),
    ]
)
ALL = (TEXT, CALLS, REFUSAL, CUT_OFF, OPEN_REASONING)
