"""The OpenAI Agents SDK behind a minimal server, with one shell tool."""

import asyncio
from collections.abc import AsyncIterator

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent

from bench.peers import minimal
from bench.peers.command import run_command


@function_tool
async def terminal(command: str) -> str:
    """Runs a shell command."""
    return await asyncio.to_thread(run_command, command)


def answering(base_url: str) -> minimal.Answer:
    set_tracing_disabled(disabled=True)
    client = AsyncOpenAI(base_url=base_url, api_key="-")
    model = OpenAIChatCompletionsModel("bench", client)
    agent = Agent(name="peer", instructions="Be brief.", model=model, tools=[terminal])

    async def answer(question: str) -> AsyncIterator[str]:
        result = Runner.run_streamed(agent, question)
        async for event in result.stream_events():
            if event.type == "raw_response_event" and isinstance(
                event.data, ResponseTextDeltaEvent
            ):
                yield event.data.delta

    return answer


if __name__ == "__main__":
    minimal.serve(answering)
