"""A model that says numbered pieces at a steady pace, each with the time at which it was sent.

The first words of the question are the script: `80 pieces of 4000 bytes, 20 a second`.
"""

import argparse
import asyncio
import re
import time

import msgspec
import uvloop

from bench import framing
from bench.upstream import Pacer

SCRIPT = re.compile(rb"(\d+) pieces of (\d+) bytes, (\d+) a second")


def script(pieces: int, size: int, rate: int) -> str:
    return f"{pieces} pieces of {size} bytes, {rate} a second"


class Saying:
    """One answer under way: a piece for every step."""

    def __init__(self, transport: asyncio.Transport, pieces: int, size: int) -> None:
        self._transport = transport
        self._pieces = pieces
        self._padding = "x" * size
        self._said = 0
        transport.write(framing.STREAM_HEAD)

    def step(self) -> bool:
        """False after the end."""
        if self._transport.is_closing():
            return False
        if self._said == self._pieces:
            end = framing.chunk(framing.DONE) + framing.LAST_CHUNK
            self._transport.write(_chunk({}, "stop") + end)
            return False
        text = framing.token(self._said, time.monotonic_ns()) + self._padding + " "
        self._transport.write(_chunk({"content": text}))
        self._said += 1
        return True


def _chunk(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    fields = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "paced"}
    return framing.chunk(framing.event(msgspec.json.encode(fields | {"choices": [choice]})))


class Model(framing.Answering):
    def __init__(self, pacers: dict[int, Pacer]) -> None:
        super().__init__()
        self._pacers = pacers

    def answer(self, path: str, body: bytes) -> None:
        asked = SCRIPT.search(body)
        if asked is None:
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            return
        pieces, size, rate = map(int, asked.groups())
        if rate not in self._pacers:
            self._pacers[rate] = Pacer(1 / rate)
        self._pacers[rate].add(Saying(self.transport, pieces, size))


async def _serve(port: int) -> None:
    pacers: dict[int, Pacer] = {}
    server = await framing.listen(port, lambda: Model(pacers))
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    uvloop.run(_serve(parser.parse_args().port))
