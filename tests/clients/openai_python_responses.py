"""The official openai package for Python on responses, client tools executed by hand."""

from typing import Any

from openai import AsyncOpenAI

from tests.clients import program
from tests.clients.cases import Called, Case, Seen, Tokens, Trouble
from tests.clients.watching import progress


async def tell(client: AsyncOpenAI, case: Case, seen: Seen) -> None:
    request: dict[str, Any] = {"model": "angelia", "input": case.prompt}
    request["extra_headers"] = case.headers
    if case.weather:
        request["tools"] = [{"type": "function", "strict": False, **program.WEATHER}]
    take = {"chunks": chunks, "gathered": gathered, "whole": whole}[case.way]
    response = await take(client.responses, request, seen)
    while response and (calls := to_execute(response)):
        seen.calls += (Called(call.name, call.arguments) for call in calls)
        request |= {"previous_response_id": response.id, "input": list(map(result, calls))}
        response = await take(client.responses, request, seen)


async def chunks(responses: Any, request: dict[str, Any], seen: Seen) -> Any:
    ended = None
    async for event in await responses.create(**request, stream=True):
        match event.type:
            case "response.output_text.delta":
                seen.text += event.delta
            case "response.reasoning_text.delta":
                seen.reasoning += event.delta
            case "response.output_item.added" | "response.output_item.done":
                seen.shown += progress(event.to_dict())
            case "response.completed":
                ended = answered(event.response, seen)
            case "response.failed" | "response.incomplete":
                seen.error = failure(event.response.error)
    return ended


async def gathered(responses: Any, request: dict[str, Any], seen: Seen) -> Any:
    """The package's own assembly of a stream."""
    async with responses.stream(**request) as stream:
        async for event in stream:
            if event.type.startswith("response.output_item."):
                seen.shown += progress(event.to_dict())
        return answer(await stream.get_final_response(), seen)


async def whole(responses: Any, request: dict[str, Any], seen: Seen) -> Any:
    return answer(await responses.create(**request), seen)


def answer(response: Any, seen: Seen) -> Any:
    seen.text += response.output_text
    for item in response.output:
        if item.type == "reasoning":
            seen.reasoning += "".join(part.text for part in item.content)
    return answered(response, seen)


def answered(response: Any, seen: Seen) -> Any:
    seen.finish = response.status
    seen.usages.append(Tokens(response.usage.input_tokens, response.usage.output_tokens))
    return response


def failure(error: Any) -> Trouble:
    return Trouble(type(error).__name__, error.message, None, error.code)


def to_execute(response: Any) -> list[Any]:
    """Calls without an output beside them; a client runs those."""
    done = {item.call_id for item in response.output if item.type == "function_call_output"}
    calls = [item for item in response.output if item.type == "function_call"]
    return [call for call in calls if call.call_id not in done]


def result(call: Any) -> dict[str, str]:
    said = program.weather(call.arguments)
    return {"type": "function_call_output", "call_id": call.call_id, "output": said}
