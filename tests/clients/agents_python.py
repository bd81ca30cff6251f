"""The OpenAI Agents SDK with a model of either API; it executes the client's tools by itself."""

import logging
from typing import Any

import agents
import httpx2
from agents import Agent, ModelSettings, Runner
from openai import AsyncOpenAI, OpenAIError

from tests.clients import program
from tests.clients.cases import Called, Case, Seen, Tokens
from tests.clients.watching import watched

MODELS = {
    "chat": agents.OpenAIChatCompletionsModel,
    "responses": agents.OpenAIResponsesModel,
}


@agents.function_tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


async def tell(case: Case, seen: Seen) -> None:
    async with AsyncOpenAI(
        base_url=f"{case.url}/v1",
        api_key=case.key,
        max_retries=0,
        http_client=watched(seen, httpx2),
    ) as client:
        agent = Agent(
            name="client",
            model=MODELS[case.api]("angelia", client),
            tools=[weather] if case.weather else [],
            model_settings=ModelSettings(
                extra_headers=case.headers, include_usage=case.usage or None
            ),
        )
        take = {"chunks": chunks, "gathered": gathered, "whole": whole}[case.way]
        await take(agent, case.prompt, seen)


async def chunks(agent: Any, prompt: str, seen: Seen) -> None:
    result = Runner.run_streamed(agent, prompt)
    async for event in result.stream_events():
        if event.type == "raw_response_event":
            note(event.data, seen)
    account(result, seen)


def note(event: Any, seen: Seen) -> None:
    match event.type:
        case "response.output_text.delta":
            seen.text += event.delta
        case "response.reasoning_text.delta" | "response.reasoning_summary_text.delta":
            seen.reasoning += event.delta


async def gathered(agent: Any, prompt: str, seen: Seen) -> None:
    """The package's own assembly of a stream."""
    result = Runner.run_streamed(agent, prompt)
    async for _ in result.stream_events():
        pass
    answer(result, seen)


async def whole(agent: Any, prompt: str, seen: Seen) -> None:
    answer(await Runner.run(agent, prompt), seen)


def answer(result: Any, seen: Seen) -> None:
    for item in outputs(result):
        if item.type == "message":
            seen.text += "".join(part.text for part in item.content)
        elif item.type == "reasoning":
            parts = [*item.summary, *(item.content or ())]
            seen.reasoning += "".join(part.text for part in parts)
    account(result, seen)


def account(result: Any, seen: Seen) -> None:
    """What it had to execute and what that took; a run that ends without an error is a stop."""
    calls = [item for item in outputs(result) if item.type == "function_call"]
    seen.calls += (Called(call.name, call.arguments) for call in calls)
    usages = [response.usage for response in result.raw_responses]
    seen.usages += (Tokens(u.input_tokens, u.output_tokens) for u in usages if u.total_tokens)
    seen.finish = "stop" if result.final_output else None


def outputs(result: Any) -> list[Any]:
    return [item for response in result.raw_responses for item in response.output]


if __name__ == "__main__":
    agents.set_tracing_disabled(True)
    # It logs every error besides raising it.
    logging.getLogger("openai.agents").disabled = True
    program.run(tell, (OpenAIError, agents.exceptions.AgentsException))
