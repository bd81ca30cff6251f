"""The floor: a minimal agent on the same HTTP stack, with a real tool process and no log."""

import argparse
import asyncio
import contextlib
import subprocess
import uuid
from collections.abc import AsyncIterator

import aiohttp
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from bench import floor_forms, framing


class Function(msgspec.Struct):
    name: str | None = None
    arguments: str = ""


class ToolCall(msgspec.Struct):
    id: str | None = None
    function: Function = msgspec.field(default_factory=Function)


class Delta(msgspec.Struct):
    content: str | None = None
    tool_calls: list[ToolCall] | None = None


class Choice(msgspec.Struct):
    delta: Delta
    finish_reason: str | None = None


class Chunk(msgspec.Struct):
    choices: list[Choice]


class Arguments(msgspec.Struct):
    command: str


_chunk = msgspec.json.Decoder(Chunk)
_arguments = msgspec.json.Decoder(Arguments)
_encoder = msgspec.json.Encoder()


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

    async def run(self, messages: list[object], form: floor_forms.Form) -> AsyncIterator[bytes]:
        yield form.begin()
        while True:
            turn = Turn()
            async for frame in self._ask(messages, turn, form):
                yield frame
            if turn.finish != "tool_calls":
                break
            messages = messages + turn.messages(await run_tool(turn.arguments))
        yield form.end(turn.finish)

    async def _ask(
        self, messages: list[object], turn: Turn, form: floor_forms.Form
    ) -> AsyncIterator[bytes]:
        body = _encoder.encode({"model": "floor", "stream": True, "messages": messages})
        async with self._session.post(self._url, data=body) as response:
            response.raise_for_status()
            async for data in _events(response.content):
                for choice in _chunk.decode(data).choices:
                    turn.add(choice)
                    if choice.delta.content:
                        yield form.delta(choice.delta.content)


class Routes:
    """The three surfaces. A run begins when its events are asked for, since nothing keeps them."""

    def __init__(self) -> None:
        self.agent: Agent
        self._waiting: dict[str, list[object]] = {}

    async def chat(self, request: Request) -> Response:
        body = msgspec.json.decode(await request.body())
        return self._stream(body["messages"], floor_forms.Chat())

    async def responses(self, request: Request) -> Response:
        body = msgspec.json.decode(await request.body())
        return self._stream(_asking(body["input"]), floor_forms.Responses())

    async def create(self, request: Request) -> Response:
        body = msgspec.json.decode(await request.body())
        run_id = f"run_{uuid.uuid4().hex}"
        self._waiting[run_id] = _asking(body["input"])
        return Response(_encoder.encode({"run_id": run_id}), 202, media_type="application/json")

    async def events(self, request: Request) -> Response:
        run_id = request.path_params["run_id"]
        return self._stream(self._waiting.pop(run_id), floor_forms.Runs(run_id))

    async def health(self, _request: Request) -> Response:
        return PlainTextResponse("ok")

    def _stream(self, messages: list[object], form: floor_forms.Form) -> Response:
        return StreamingResponse(self.agent.run(messages, form), media_type="text/event-stream")


def _asking(text: str) -> list[object]:
    return [{"role": "user", "content": text}]


def build(base_url: str) -> Starlette:
    surfaces = Routes()

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        connector = aiohttp.TCPConnector(limit=0)
        headers = {"Content-Type": "application/json"}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            surfaces.agent = Agent(session, f"{base_url}/chat/completions")
            yield

    routes = [
        Route(framing.CHAT_PATH, surfaces.chat, methods=["POST"]),
        Route("/v1/responses", surfaces.responses, methods=["POST"]),
        Route("/v1/runs", surfaces.create, methods=["POST"]),
        Route("/v1/runs/{run_id}/events", surfaces.events),
        Route("/health", surfaces.health),
    ]
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
