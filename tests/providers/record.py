"""Writes tests/golden/upstream anew: what real model servers send, byte for byte.

python -m tests.providers.record
"""

import asyncio
import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.providers.running import AimockServer, LlamaServer
from tests.support.http import Client

GOLDEN = Path(__file__).parent.parent / "golden" / "upstream"
PATHS = {"chat": "/chat/completions", "responses": "/responses", "anthropic": "/messages"}
Body = dict[str, Any]


def body(protocol: str, text: str, tokens: int, **more: Any) -> Body:
    said = [{"role": "user", "content": text}]
    if protocol == "responses":
        return {"input": said, "stream": True, "max_output_tokens": tokens, **more}
    usage = {"stream_options": {"include_usage": True}} if protocol == "chat" else {}
    return {"messages": said, "stream": True, "max_tokens": tokens, **usage, **more}


async def of_llama(llama: LlamaServer) -> None:
    sure = {"model": "smollm2", "temperature": 0, "seed": 1}
    for protocol in PATHS:
        whole = body(protocol, "Say hello in five words.", 64, **sure)
        await record(llama.url, protocol, f"llama-{protocol}.sse", whole)
        at_once = {**whole, "stream": False, "stream_options": None}
        await record(llama.url, protocol, f"llama-{protocol}-whole.json", at_once)
        cut = body(protocol, "Count from 1 to 100.", 16, **sure)
        await record(llama.url, protocol, f"llama-{protocol}-length.sse", cut)
        long = body(protocol, "word " * 2 * llama.context, 16, **sure)
        await record(llama.url, protocol, f"llama-{protocol}-overflow.json", long)
        # The first token of the answer is no whole character.
        emoji = body(protocol, "🍡", 16, **sure)
        await record(llama.url, protocol, f"llama-{protocol}-emoji.sse", emoji)
    wrong = {**sure, "messages": "Say hello.", "stream": True}
    await record(llama.url, "chat", "llama-chat-invalid.json", wrong)


async def of_locked(llama: LlamaServer) -> None:
    """It answers while it still loads its model, and does not look at the key before."""
    asked = body("chat", "Say hello.", 8)
    starting = asyncio.create_task(asyncio.to_thread(llama.start))
    while not starting.done():
        with contextlib.suppress(OSError):
            await record(llama.url, "chat", "llama-chat-503.json", asked, expected=503)
    await starting
    for protocol in PATHS:
        asked = body(protocol, "Say hello.", 8)
        await record(llama.url, protocol, f"llama-{protocol}-401.json", asked)


async def of_aimock(aimock: AimockServer) -> None:
    calls = [
        {"id": "call_files", "name": "list_files", "arguments": "{}"},
        {"id": "call_count", "name": "terminal", "arguments": '{"command":"wc -l notes.txt"}'},
    ]
    answer = {"reasoning": "I must count.", "content": "Let me look.", "toolCalls": calls}
    await aimock.play({"match": {"userMessage": "How many"}, "response": answer})
    for protocol in PATHS:
        asked = body(protocol, "How many lines?", 64, model="mock")
        await record(aimock.url, protocol, f"aimock-{protocol}-tools.sse", asked)
        await aimock.fail_once(429)
        await record(aimock.url, protocol, f"aimock-{protocol}-429.json", asked)


async def record(
    url: str, protocol: str, name: str, asked: Mapping[str, Any], expected: int | None = None
) -> None:
    async with Client(url) as client:
        answer = await client.post(f"/v1{PATHS[protocol]}", asked)
    if expected in (None, answer.status):
        (GOLDEN / name).write_bytes(answer.body)
        print(answer.status, name, len(answer.body))


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        llama, aimock = LlamaServer(Path(folder), 1024), AimockServer(Path(folder))
        locked = LlamaServer(Path(folder), 1024, "locked")
        try:
            asyncio.run(of_locked(locked))
            llama.start()
            aimock.start()
            asyncio.run(of_llama(llama))
            asyncio.run(of_aimock(aimock))
        finally:
            locked.kill()
            llama.kill()
            aimock.kill()


if __name__ == "__main__":
    main()
