"""The official openai package for Python, with client tools executed by hand."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from openai import APIError, APIStatusError, AsyncOpenAI
from openai.types import CompletionUsage

from tests.clients.cases import Called, Case, Progress, Seen, Tokens, Trouble

# What the package lets through when it cannot make sense of a frame.
PARSER_DIED = (AttributeError, LookupError, TypeError, ValueError)
TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}


async def report(cases: Mapping[str, Case]) -> dict[str, Seen]:
    seen = await asyncio.gather(*map(witness, cases.values()))
    return dict(zip(cases, seen, strict=True))


async def witness(case: Case) -> Seen:
    seen = Seen()
    async with AsyncOpenAI(base_url=f"{case.url}/v1", api_key=case.key, max_retries=0) as client:
        try:
            await tell(client.chat.completions, case, seen)
        except APIError as error:
            status = error.status_code if isinstance(error, APIStatusError) else None
            seen.error = Trouble(type(error).__name__, error.message, status, error.code)
        except PARSER_DIED as error:
            seen.error = Trouble(type(error).__name__, str(error), None, None)
    return seen


async def tell(completions: Any, case: Case, seen: Seen) -> None:
    messages: list[Any] = [{"role": "user", "content": case.prompt}]
    request: dict[str, Any] = {"model": "angelia", "messages": messages}
    if case.weather:
        request["tools"] = [TOOL]
    if case.usage and case.way != "whole":
        request["stream_options"] = {"include_usage": True}
    if case.events:
        request["extra_headers"] = {"X-Angelia-Tool-Events": case.events}
    take = {"chunks": chunks, "gathered": gathered, "whole": whole}[case.way]
    while calls := await take(completions, request, seen):
        seen.calls += (Called(**call["function"]) for call in calls)
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.extend(map(result, calls))


async def chunks(completions: Any, request: dict[str, Any], seen: Seen) -> list[Any]:
    calls: dict[int, Any] = {}
    stream = await completions.create(**request, stream=True)
    seen.runs.append(stream.response.headers["x-angelia-run-id"])
    async for chunk in stream:
        seen.progress += progress(chunk.model_extra)
        seen.usages += tokens(chunk.usage)
        for choice in chunk.choices:
            seen.text += choice.delta.content or ""
            seen.reasoning += (choice.delta.model_extra or {}).get("reasoning_content", "")
            seen.finish = choice.finish_reason or seen.finish
            for piece in choice.delta.tool_calls or ():
                gather(calls, piece)
    return [calls[index] for index in sorted(calls)]


def gather(calls: dict[int, Any], piece: Any) -> None:
    call = {"id": piece.id, "type": "function"}
    call["function"] = {"name": piece.function.name, "arguments": ""}
    calls.setdefault(piece.index, call)["function"]["arguments"] += piece.function.arguments


async def gathered(completions: Any, request: dict[str, Any], seen: Seen) -> list[Any]:
    """The package's own assembly of a stream."""
    async with completions.stream(**request) as stream:
        seen.runs.append(stream._response.headers["x-angelia-run-id"])
        async for event in stream:
            if event.type == "chunk":
                seen.progress += progress(event.chunk.model_extra)
        return answer(await stream.get_final_completion(), seen)


async def whole(completions: Any, request: dict[str, Any], seen: Seen) -> list[Any]:
    answered = await completions.with_raw_response.create(**request)
    seen.runs.append(answered.headers["x-angelia-run-id"])
    return answer(answered.parse(), seen)


def answer(completion: Any, seen: Seen) -> list[Any]:
    (choice,) = completion.choices
    seen.text += choice.message.content or ""
    seen.reasoning += (choice.message.model_extra or {}).get("reasoning_content") or ""
    seen.finish = choice.finish_reason
    seen.usages += tokens(completion.usage)
    return [
        {"id": call.id, "type": "function", "function": called(call.function)}
        for call in choice.message.tool_calls or ()
    ]


def called(function: Any) -> dict[str, str]:
    return {"name": function.name, "arguments": function.arguments}


def result(call: Any) -> dict[str, str]:
    city = json.loads(call["function"]["arguments"])["city"]
    return {"role": "tool", "tool_call_id": call["id"], "content": f"sunny in {city}"}


def tokens(usage: CompletionUsage | None) -> list[Tokens]:
    return [Tokens(usage.prompt_tokens, usage.completion_tokens)] if usage else []


def progress(extra: Mapping[str, Any] | None) -> list[Progress]:
    """The progress of a server's tool among a chunk's further fields, in whichever dialect."""
    extra = extra or {}
    carried = extra.get("hermes.tool.progress")
    payload = carried or extra
    if "toolCallId" not in payload:
        return []
    dialect = "openwebui" if "event" in extra else "carrier" if carried else "named"
    return [Progress(dialect, payload["tool"], payload["toolCallId"], payload["status"])]
