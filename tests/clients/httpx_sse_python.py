"""A program of a few lines with httpx-sse: every event as it comes, on both APIs."""

from typing import Any

import httpx
from httpx_sse import SSEError, aconnect_sse

from tests.clients import program
from tests.clients.cases import Called, Case, Seen, Tokens, Trouble
from tests.clients.watching import progress, watched

PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}


async def tell(case: Case, seen: Seen) -> None:
    async with watched(seen, httpx) as client:
        client.headers = {**case.headers, "Authorization": f"Bearer {case.key}"}
        take = {"chat": chat, "responses": respond}[case.api]
        body = {"stream": True, **BODIES[case.api](case)}
        while more := await take(client, case.url + PATHS[case.api], body, seen):
            body |= more


async def events(client: Any, url: str, body: Any, seen: Seen) -> Any:
    async with aconnect_sse(client, "POST", url, json=body) as source:
        source.response.raise_for_status()
        async for event in source.aiter_sse():
            if event.data != "[DONE]":
                seen.shown += progress(event.json())
                yield event.json()


# ── chat completions ────────────────────────────────────────────────────────────────────────


def chat_body(case: Case) -> dict[str, Any]:
    tool = {"type": "function", "function": program.WEATHER}
    return {
        "messages": [{"role": "user", "content": case.prompt}],
        "stream_options": {"include_usage": case.usage},
        **({"tools": [tool]} if case.weather else {}),
    }


async def chat(client: Any, url: str, body: Any, seen: Seen) -> dict[str, Any]:
    gathered: dict[int, Any] = {}
    async for chunk in events(client, url, body, seen):
        if error := chunk.get("error"):
            seen.error = Trouble("error", error["message"], None, error["code"])
        for choice in chunk.get("choices", ()):
            seen.text += choice["delta"].get("content") or ""
            seen.reasoning += choice["delta"].get("reasoning_content") or ""
            seen.finish = choice["finish_reason"] or seen.finish
            for piece in choice["delta"].get("tool_calls", ()):
                gather(gathered, piece)
        if usage := chunk.get("usage"):
            seen.usages.append(Tokens(usage["prompt_tokens"], usage["completion_tokens"]))
    calls = [gathered[index] for index in sorted(gathered)]
    seen.calls += (Called(**call["function"]) for call in calls)
    asked = {"role": "assistant", "content": None, "tool_calls": calls}
    told = [{"role": "tool", "tool_call_id": call["id"], "content": said(call)} for call in calls]
    return {"messages": [*body["messages"], asked, *told]} if calls else {}


def gather(calls: dict[int, Any], piece: Any) -> None:
    function = piece["function"]
    new = {"id": piece.get("id"), "type": "function"}
    new["function"] = {"name": function.get("name"), "arguments": ""}
    calls.setdefault(piece["index"], new)["function"]["arguments"] += function["arguments"]


def said(call: Any) -> str:
    return program.weather(call["function"]["arguments"])


# ── responses ───────────────────────────────────────────────────────────────────────────────


def responses_body(case: Case) -> dict[str, Any]:
    tool = {"type": "function", **program.WEATHER}
    return {"input": case.prompt, **({"tools": [tool]} if case.weather else {})}


async def respond(client: Any, url: str, body: Any, seen: Seen) -> dict[str, Any]:
    response: Any = {}
    async for event in events(client, url, body, seen):
        response = event.get("response", response)
        match event["type"]:
            case "response.output_text.delta":
                seen.text += event["delta"]
            case "response.reasoning_text.delta":
                seen.reasoning += event["delta"]
    if error := response["error"]:
        seen.error = Trouble("error", error["message"], None, error["code"])
        return {}
    seen.finish = response["status"]
    usage = response["usage"]
    seen.usages.append(Tokens(usage["input_tokens"], usage["output_tokens"]))
    results = [result(call) for call in to_execute(response["output"], seen)]
    return {"previous_response_id": response["id"], "input": results} if results else {}


def to_execute(output: list[Any], seen: Seen) -> list[Any]:
    done = {item["call_id"] for item in output if item["type"] == "function_call_output"}
    calls = [item for item in output if item["type"] == "function_call"]
    own = [call for call in calls if call["call_id"] not in done]
    seen.calls += (Called(call["name"], call["arguments"]) for call in own)
    return own


def result(call: Any) -> dict[str, str]:
    output = program.weather(call["arguments"])
    return {"type": "function_call_output", "call_id": call["call_id"], "output": output}


BODIES = {"chat": chat_body, "responses": responses_body}

if __name__ == "__main__":
    program.run(tell, (httpx.HTTPError, SSEError))
