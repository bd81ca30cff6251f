"""langchain-openai on both APIs, client tools executed by hand."""

from typing import Any

import httpx2
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI
from openai import OpenAIError

from tests.clients import program
from tests.clients.cases import Called, Case, Seen, Tokens
from tests.clients.watching import watched


async def tell(case: Case, seen: Seen) -> None:
    async with watched(seen, httpx2) as http:
        model: Any = ChatOpenAI(
            model="angelia",
            base_url=f"{case.url}/v1",
            api_key=case.key,
            max_retries=0,
            http_async_client=http,
            default_headers=case.headers,
            stream_usage=case.usage,
            streaming=case.way != "whole",
            use_responses_api=case.api == "responses",
        )
        if case.weather:
            model = model.bind_tools([{"type": "function", "function": program.WEATHER}])
        await converse(model, case, seen)


async def converse(model: Any, case: Case, seen: Seen) -> None:
    messages: list[Any] = [HumanMessage(case.prompt)]
    take = {"chunks": chunks, "gathered": assembled, "whole": assembled}[case.way]
    while calls := (answer := await take(model, messages, seen)).tool_calls:
        seen.calls += (Called(call["name"], program.compact(call["args"])) for call in calls)
        messages += [answer, *map(result, calls)]


async def chunks(model: Any, messages: list[Any], seen: Seen) -> Any:
    whole: Any = None
    async for chunk in model.astream(messages):
        whole = chunk if whole is None else whole + chunk
        note(chunk, seen)
    return whole


async def assembled(model: Any, messages: list[Any], seen: Seen) -> Any:
    """One message, which the package assembles from a stream if it was told to stream."""
    answer = await model.ainvoke(messages)
    note(answer, seen)
    return answer


def note(message: AIMessage, seen: Seen) -> None:
    told = message.response_metadata
    seen.text += message.text
    seen.reasoning += "".join(map(reasoning, message.content_blocks))
    seen.finish = told.get("finish_reason") or told.get("status") or seen.finish
    if usage := message.usage_metadata:
        seen.usages.append(Tokens(usage["input_tokens"], usage["output_tokens"]))


def reasoning(block: Any) -> str:
    return block.get("reasoning", "") if block["type"] == "reasoning" else ""


def result(call: Any) -> ToolMessage:
    return ToolMessage(program.weather(program.compact(call["args"])), tool_call_id=call["id"])


if __name__ == "__main__":
    program.run(tell, (OpenAIError,))
