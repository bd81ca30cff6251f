"""Pydantic AI behind a minimal server, with one shell tool."""

import asyncio
from collections.abc import AsyncIterator

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from bench.peers import minimal
from bench.peers.command import run_command


async def terminal(command: str) -> str:
    """Runs a shell command."""
    return await asyncio.to_thread(run_command, command)


def answering(base_url: str) -> minimal.Answer:
    model = OpenAIChatModel("bench", provider=OpenAIProvider(base_url=base_url, api_key="-"))
    agent = Agent(model, instructions="Be brief.", tools=[terminal])

    async def answer(question: str) -> AsyncIterator[str]:
        async with agent.run_stream(question) as result:
            # Without a pause between pieces; by default they are gathered for 0.1 s.
            async for text in result.stream_text(delta=True, debounce_by=None):
                yield text

    return answer


if __name__ == "__main__":
    minimal.serve(answering)
