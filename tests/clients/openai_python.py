"""The official openai package for Python on chat completions, client tools executed by hand."""

from typing import Any

import httpx2
from openai import AsyncOpenAI, OpenAIError

from tests.clients import openai_python_responses, program
from tests.clients.cases import Called, Case, Seen, Tokens
from tests.clients.watching import progress, watched


async def tell(case: Case, seen: Seen) -> None:
    async with AsyncOpenAI(
        base_url=f"{case.url}/v1",
        api_key=case.key,
        max_retries=0,
        http_client=watched(seen, httpx2),
    ) as client:
        await {"chat": chat, "responses": openai_python_responses.tell}[case.api](
            client, case, seen
        )


async def chat(client: AsyncOpenAI, case: Case, seen: Seen) -> None:
    messages: list[Any] = [{"role": "user", "content": case.prompt}]
    request: dict[str, Any] = {"model": "angelia", "messages": messages}
    request["extra_headers"] = case.headers
    if case.weather:
        request["tools"] = [{"type": "function", "function": program.WEATHER}]
    if case.usage and case.way != "whole":
        request["stream_options"] = {"include_usage": True}
    take = {"chunks": chunks, "gathered": gathered, "whole": whole}[case.way]
    while calls := await take(client.chat.completions, request, seen):
        seen.calls += (Called(**call["function"]) for call in calls)
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.extend(map(result, calls))


async def chunks(completions: Any, request: dict[str, Any], seen: Seen) -> list[Any]:
    calls: dict[int, Any] = {}
    async for chunk in await completions.create(**request, stream=True):
        seen.shown += progress(chunk.model_extra)
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
        async for event in stream:
            if event.type == "chunk":
                seen.shown += progress(event.chunk.model_extra)
        return answer(await stream.get_final_completion(), seen)


async def whole(completions: Any, request: dict[str, Any], seen: Seen) -> list[Any]:
    return answer(await completions.create(**request), seen)


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
    said = program.weather(call["function"]["arguments"])
    return {"role": "tool", "tool_call_id": call["id"], "content": said}


def tokens(usage: Any) -> list[Tokens]:
    return [Tokens(usage.prompt_tokens, usage.completion_tokens)] if usage else []


if __name__ == "__main__":
    program.run(tell, (OpenAIError, RuntimeError))
