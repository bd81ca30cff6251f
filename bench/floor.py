"""The floor: a minimal agent on the same HTTP stack, with a real tool process and no log."""

import argparse
import asyncio
import contextlib
import subprocess
from collections.abc import AsyncIterator

import aiohttp
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from bench import framing


class Function(msgspec.Struct, omit_defaults=True):
    name: str | None = None
    arguments: str = ""


class ToolCall(msgspec.Struct, omit_defaults=True):
    index: int = 0
    id: str | None = None
    function: Function = msgspec.field(default_factory=Function)


class Delta(msgspec.Struct, omit_defaults=True):
    role: str | None = None
    content: str | None = None
    tool_calls: list[ToolCall] | None = None


class Choice(msgspec.Struct):
    delta: Delta
    index: int = 0
    finish_reason: str | None = None


class Chunk(msgspec.Struct):
    choices: list[Choice]
    id: str = "chatcmpl-floor"
    object: str = "chat.completion.chunk"
    created: int = 0
    model: str = "floor"


class Arguments(msgspec.Struct):
    command: str


_chunk = msgspec.json.Decoder(Chunk)
_arguments = msgspec.json.Decoder(Arguments)
_encoder = msgspec.json.Encoder()


def _frame(chunk: Chunk) -> bytes:
    return framing.event(_encoder.encode(chunk))


async def _events(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    rest = b""
    async for data in content.iter_any():
        *events, rest = (rest + data).split(b"\n\n")
        for event in events:
            if event != b"data: [DONE]":
                yield event.removeprefix(b"data: ")


async def run_tool(arguments: str) -> str:
    command = _arguments.decode(arguments).command
    # A thread, because `subprocess` can vfork; uvloop copies the page tables for every process.
    done = await asyncio.to_thread(
        subprocess.run,
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout


class Turn:
    """What one model call has said so far."""

    def __init__(self) -> None:
        self.call_id = ""
        self.name = ""
        self.arguments = ""
        self.finish = ""

    def add(self, choice: Choice) -> None:
        for call in choice.delta.tool_calls or ():
            self.call_id = call.id or self.call_id
            self.name = call.function.name or self.name
            self.arguments += call.function.arguments
        self.finish = choice.finish_reason or self.finish

    def messages(self, output: str) -> list[dict[str, object]]:
        function = {"name": self.name, "arguments": self.arguments}
        call = {"id": self.call_id, "type": "function", "function": function}
        return [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": self.call_id, "content": output},
        ]


class Agent:
    """Asks the model, runs its tool, asks again; every text delta is passed on by itself."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session = session
        self._url = url

    async def run(self, body: dict[str, object]) -> AsyncIterator[bytes]:
        yield _frame(Chunk([Choice(Delta(role="assistant", content=""))]))
        messages = list(body["messages"])
        while True:
            turn = Turn()
            async for frame in self._ask(body | {"messages": messages}, turn):
                yield frame
            if turn.finish != "tool_calls":
                break
            messages += turn.messages(await run_tool(turn.arguments))
        yield _frame(Chunk([Choice(Delta(), finish_reason=turn.finish)]))
        yield framing.DONE

    async def _ask(self, body: dict[str, object], turn: Turn) -> AsyncIterator[bytes]:
        async with self._session.post(self._url, data=_encoder.encode(body)) as response:
            response.raise_for_status()
            async for data in _events(response.content):
                for choice in _chunk.decode(data).choices:
                    turn.add(choice)
                    if choice.delta.content:
                        yield _frame(Chunk([Choice(Delta(content=choice.delta.content))]))


def build(base_url: str) -> Starlette:
    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        connector = aiohttp.TCPConnector(limit=0)
        headers = {"Content-Type": "application/json"}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            app.state.agent = Agent(session, f"{base_url}/chat/completions")
            yield

    async def chat(request: Request) -> Response:
        body = msgspec.json.decode(await request.body())
        frames = request.app.state.agent.run(body)
        return StreamingResponse(frames, media_type="text/event-stream")

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok")

    routes = [Route(framing.CHAT_PATH, chat, methods=["POST"]), Route("/health", health)]
    return Starlette(routes=routes, lifespan=lifespan)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--base-url", required=True)
    args = parser.parse_args()
    uvicorn.run(
        build(args.base_url),
        port=args.port,
        loop="uvloop",
        http="httptools",
        ws="none",
        access_log=False,
        log_level="warning",
    )
