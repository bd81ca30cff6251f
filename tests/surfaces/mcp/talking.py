"""`angelia mcp` as a process, with the official SDK's client at the other end."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client, StdioServerParameters

from tests.support.process import ANGELIA


class Talk:
    """A client of the server, and all the progress that it was told of."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.progress: list[str] = []

    async def ask(self, tool: str, **arguments: Any) -> Any:
        """What a call comes to; it goes well."""
        answer = await self.client.call_tool(tool, arguments, progress_callback=self._note)
        assert not answer.is_error, answer.content
        return answer.structured_content

    async def refused(self, tool: str, **arguments: Any) -> str:
        """What is wrong with a call."""
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error
        (said,) = answer.content
        assert said.type == "text"
        return said.text

    async def _note(self, progress: float, total: float | None, message: str | None) -> None:
        assert (progress > 0, total) == (True, None)
        self.progress.append(message or "")


@asynccontextmanager
async def talk(env: Mapping[str, str]) -> AsyncIterator[Talk]:
    command, *arguments = ANGELIA
    given = StdioServerParameters(command=command, args=[*arguments, "mcp"], env=dict(env))
    async with Client(given, mode="legacy") as client:
        yield Talk(client)
