"""A minimal server around somebody's agent: streaming chat completions and a health check.

Runs in the peer's own environment, where nothing of this project is installed.
"""

import argparse
import json
from collections.abc import AsyncIterator, Callable

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

Answer = Callable[[str], AsyncIterator[str]]
"""A question in, the text of the answer out, as it comes."""


def _frame(delta: dict[str, str], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    fields = {"id": "chatcmpl-peer", "object": "chat.completion.chunk", "created": 0}
    return f"data: {json.dumps({**fields, 'model': 'peer', 'choices': [choice]})}\n\n"


async def _frames(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    yield _frame({"role": "assistant", "content": ""})
    async for text in pieces:
        yield _frame({"content": text})
    yield _frame({}, "stop")
    yield "data: [DONE]\n\n"


def serve(answer: Callable[[str], Answer]) -> None:
    """`answer` is given the address of the model, once."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--base-url", required=True)
    args = parser.parse_args()
    respond = answer(args.base_url)

    async def chat(request: Request) -> Response:
        body = await request.json()
        pieces = respond(body["messages"][-1]["content"])
        return StreamingResponse(_frames(pieces), media_type="text/event-stream")

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok")

    routes = [Route("/v1/chat/completions", chat, methods=["POST"]), Route("/health", health)]
    uvicorn.run(
        Starlette(routes=routes),
        port=args.port,
        loop="uvloop",
        http="httptools",
        ws="none",
        access_log=False,
        log_level="warning",
    )
