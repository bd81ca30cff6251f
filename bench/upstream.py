"""The scripted model: one tool call or none, then numbered text deltas, as a burst or at a pace.

The URL is the script, `/{deltas per second}/{deltas}/{tool|plain}/v1/chat/completions`, where no
deltas per second are a burst. With `tool`, a request with a tool's answer behind its last user
message gets the text, any other one the call. The usage counts four bytes as a token.
"""

import argparse
import asyncio
import itertools
import time
from collections import deque
from functools import lru_cache
from typing import Protocol

import msgspec
import uvloop

from bench import framing

FASTEST = 1_000
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
_call_numbers = itertools.count()


class Message(msgspec.Struct):
    role: str


class Request(msgspec.Struct):
    messages: list[Message]


_request = msgspec.json.Decoder(Request)


def answers_a_tool(request: Request) -> bool:
    for message in reversed(request.messages):
        if message.role in ("tool", "user"):
            return message.role == "tool"
    return False


def _chunk(choices: list[dict[str, object]], **extra: object) -> bytes:
    fields = {
        "id": "chatcmpl-bench",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "bench",
        "choices": choices,
    }
    return framing.chunk(framing.event(msgspec.json.encode(fields | extra)))


def _choice(delta: dict[str, object], finish: str | None = None) -> bytes:
    return _chunk([{"index": 0, "delta": delta, "finish_reason": finish}])


def _usage(prompt: int, completion: int) -> bytes:
    counts = {"prompt_tokens": prompt, "completion_tokens": completion}
    return _chunk([], usage=counts | {"total_tokens": prompt + completion})


def _call(call_id: str) -> bytes:
    function = {"name": "terminal", "arguments": ""}
    opened = {"index": 0, "id": call_id, "type": "function", "function": function}
    return _choice({"role": "assistant", "content": None, "tool_calls": [opened]})


def _arguments(part: str) -> bytes:
    return _choice({"tool_calls": [{"index": 0, "function": {"arguments": part}}]})


_END = framing.chunk(framing.DONE) + framing.LAST_CHUNK
_CALL_REST = (
    b"".join(map(_arguments, ('{"comm', 'and":"ec', 'ho hello"}')))
    + _choice({}, "tool_calls")
    + _usage(20, 10)
    + _END
)


def tool_reply() -> bytes:
    call_id = f"call_{next(_call_numbers):08d}"
    return framing.STREAM_HEAD + _call(call_id) + _CALL_REST


@lru_cache
def _templates(deltas: int) -> list[bytes]:
    """Every delta of a reply, rendered but for its time."""
    plain = (_choice({"content": framing.token(index, 0)}) for index in range(deltas))
    return [chunk.replace(b"@%016d" % 0, b"@%016d") for chunk in plain]


def _text_end(asked: int, deltas: int) -> bytes:
    return _choice({}, "stop") + _usage(asked, deltas) + _END


class Reply:
    """One text reply on its way: a delta for every call of `step`."""

    def __init__(self, transport: asyncio.Transport, asked: int, deltas: int) -> None:
        self._transport = transport
        self._rest = iter(_templates(deltas))
        self._end = _text_end(asked, deltas)
        transport.write(framing.STREAM_HEAD + _choice({"role": "assistant", "content": ""}))

    def step(self) -> bool:
        """Sends what is next; False after the end."""
        if self._transport.is_closing():
            return False
        template = next(self._rest, None)
        if template is None:
            self._transport.write(self._end)
            return False
        self._transport.write(template % time.monotonic_ns())
        return True


# uvloop's timers count milliseconds: a shorter wait is none at all, and the loop would spin.
TICK = 0.001


class Stepping(Protocol):
    """What is said piece by piece."""

    def step(self) -> bool:
        """Sends what is next; False after the end."""
        ...


class Pacer:
    """Steps every reply once per period, with one timer for all.

    A reply enters with a whole period to wait, so the queue stays in order of due times.
    """

    def __init__(self, period: float) -> None:
        self._period = period
        self._tick = min(TICK, period)
        self._queue: deque[tuple[float, Stepping]] = deque()
        self._loop = asyncio.get_running_loop()

    def add(self, reply: Stepping) -> None:
        """Sends the first delta at once."""
        idle = not self._queue
        self._step(reply, self._loop.time())
        if idle:
            self._set_timer()

    def _fire(self) -> None:
        now = self._loop.time()
        for _ in range(len(self._queue)):
            if self._queue[0][0] > now:
                break
            due, reply = self._queue.popleft()
            self._step(reply, due)
        self._set_timer()

    def _step(self, reply: Stepping, due: float) -> None:
        if reply.step():
            self._queue.append((due + self._period, reply))

    def _set_timer(self) -> None:
        if self._queue:
            wait = self._queue[0][0] - self._loop.time()
            self._loop.call_later(max(self._tick, wait), self._fire)


class Pacers:
    """One for each pace that a script asks for."""

    def __init__(self) -> None:
        self._found: dict[int, Pacer] = {}

    def at(self, pace: int) -> Pacer:
        """`ValueError` for a pace that no timer can keep."""
        if not 0 <= pace <= FASTEST:
            raise ValueError(pace)
        if pace not in self._found:
            self._found[pace] = Pacer(1 / pace if pace else 0.0)
        return self._found[pace]


class Script(msgspec.Struct, frozen=True):
    """What an address asks of the model."""

    pace: int
    deltas: int
    tool: bool


def read_script(path: str) -> Script:
    """`ValueError` for any other path."""
    _, pace, deltas, kind, rest = path.split("/", 4)
    if f"/{rest}" != framing.CHAT_PATH or kind not in ("tool", "plain"):
        raise ValueError(path)
    return Script(int(pace), int(deltas), kind == "tool")


class Model(framing.Answering):
    """One connection to the scripted model."""

    def __init__(self, pacers: Pacers) -> None:
        super().__init__()
        self._pacers = pacers

    def answer(self, path: str, body: bytes) -> None:
        try:
            script = read_script(path)
            pacer = self._pacers.at(script.pace)
            request = _request.decode(body)
        except (ValueError, msgspec.MsgspecError):
            self.transport.write(_BAD_REQUEST)
            return
        if script.tool and not answers_a_tool(request):
            self.transport.write(tool_reply())
        else:
            pacer.add(Reply(self.transport, len(body) // 4, script.deltas))


async def start(port: int) -> asyncio.Server:
    pacers = Pacers()
    return await framing.listen(port, lambda: Model(pacers))


async def _serve(port: int) -> None:
    server = await start(port)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    uvloop.run(_serve(parser.parse_args().port))
