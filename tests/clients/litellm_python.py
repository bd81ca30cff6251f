"""litellm as a client of chat completions, client tools executed by hand."""

import warnings
from typing import Any

import httpx
import litellm
import mcp  # noqa: F401 - litellm loads it from several threads at once, which cannot end well
from openai import AsyncOpenAI, OpenAIError

from tests.clients import program
from tests.clients.cases import Called, Case, Seen, Tokens
from tests.clients.watching import watched


async def tell(case: Case, seen: Seen) -> None:
    messages: list[Any] = [{"role": "user", "content": case.prompt}]
    request: dict[str, Any] = {
        "model": "openai/angelia",
        "messages": messages,
        "base_url": f"{case.url}/v1",
        "api_key": case.key,
        "extra_headers": case.headers,
        "max_retries": 0,
    }
    if case.weather:
        request["tools"] = [{"type": "function", "function": program.WEATHER}]
    if case.usage and case.way != "whole":
        request["stream_options"] = {"include_usage": True}
    take = {"chunks": chunks, "gathered": gathered, "whole": whole}[case.way]
    async with watched(seen, httpx) as http:
        if case.way != "gathered":
            request["client"] = AsyncOpenAI(
                base_url=request["base_url"], api_key=case.key, http_client=http, max_retries=0
            )
        while calls := (answer := await take(request, seen)).tool_calls:
            seen.calls += (Called(call.function.name, call.function.arguments) for call in calls)
            messages += [answer.model_dump(), *map(result, calls)]


async def chunks(request: dict[str, Any], seen: Seen) -> Any:
    pieces: list[Any] = []
    async for chunk in await litellm.acompletion(**request, stream=True):
        pieces.append(chunk)
        seen.usages += tokens(chunk)
        for choice in chunk.choices:
            seen.text += choice.delta.content or ""
            seen.reasoning += getattr(choice.delta, "reasoning_content", None) or ""
            seen.finish = choice.finish_reason or seen.finish
    return litellm.stream_chunk_builder(pieces).choices[0].message


async def gathered(request: dict[str, Any], seen: Seen) -> Any:
    """The package's own assembly of a stream, over its own transport."""
    stream = await litellm.acompletion(**request, stream=True)
    headers = stream._hidden_params["additional_headers"]
    seen.runs.append(headers["llm_provider-x-angelia-run-id"])
    pieces = [chunk async for chunk in stream]
    return answer(litellm.stream_chunk_builder(pieces, messages=request["messages"]), seen)


async def whole(request: dict[str, Any], seen: Seen) -> Any:
    return answer(await litellm.acompletion(**request), seen)


def answer(completion: Any, seen: Seen) -> Any:
    (choice,) = completion.choices
    seen.text += choice.message.content or ""
    seen.reasoning += getattr(choice.message, "reasoning_content", None) or ""
    seen.finish = choice.finish_reason
    seen.usages += tokens(completion)
    return choice.message


def tokens(answer: Any) -> list[Tokens]:
    """A whole answer has a usage of nothing where the server sent none."""
    usage = getattr(answer, "usage", None)
    if not usage or not usage.total_tokens:
        return []
    return [Tokens(usage.prompt_tokens, usage.completion_tokens)]


def result(call: Any) -> dict[str, str]:
    said = program.weather(call.function.arguments)
    return {"role": "tool", "tool_call_id": call.id, "content": said}


if __name__ == "__main__":
    # Stdout is for the report.
    litellm.suppress_debug_info = True
    # It never closes the connections of its own.
    warnings.simplefilter("ignore", ResourceWarning)
    program.run(tell, (OpenAIError,))
