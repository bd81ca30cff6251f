"""A model server that follows a script: three protocols, real HTTP, faults on request.

Above: whoever tests a client of such servers. Below: sockets. It shares nothing with the runtime
but the words of the wire.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from msgspec import DecodeError, Raw, Struct, ValidationError, json
from msgspec.structs import replace

from angelia.core.messages import Reply
from angelia.core.redact import redact
from angelia.errors import BadRequest
from angelia.surfaces.upstream import anthropic, chat, responses
from angelia.surfaces.upstream.asked import Asked, inconsistency
from angelia.surfaces.upstream.frames import Ending, Frame, Scripted, spoil
from angelia.surfaces.upstream.listener import Connection, Exchange, Request
from angelia.surfaces.upstream.playbook import Playbook
from angelia.surfaces.upstream.script import ErrorEvent, Fault, Script, Step, load, parse

_REMEMBERED = 1_000
_TICK = 0.001
_SECRET_HEADERS = frozenset({"authorization", "x-api-key", "api-key", "cookie"})
_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class Dialect(Protocol):
    """What a protocol's module knows."""

    def read(self, body: bytes, /) -> Asked: ...
    def stream(self, scripted: Scripted, asked: Asked, /) -> list[Frame]: ...
    def whole(self, scripted: Scripted, asked: Asked, /) -> bytes: ...
    def error(self, event: ErrorEvent, /) -> Frame: ...
    def refusal(self, status: int, event: ErrorEvent, /) -> bytes: ...


DIALECTS: dict[str, Dialect] = {
    "/chat/completions": chat,
    "/responses": responses,
    "/messages": anthropic,
}


class Received(Struct):
    """A request as it came. Keys are not kept: their headers say `present`.

    `left` tells that the client went away before the answer was over.
    """

    path: str
    headers: dict[str, str]
    body: Raw
    connection: int
    left: bool = False


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class UpstreamServer:
    """`async with UpstreamServer(script) as server` listens at `server.base_url` until it leaves.

    `requests` holds the last requests to a model, `connections` counts TCP connections.
    """

    def __init__(
        self,
        script: Script | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        pace: float = 0.0,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.requests: deque[Received] = deque(maxlen=_REMEMBERED)
        self.connections = 0
        self.departures = 0
        self.port = port
        self._host = host
        self._pace = pace
        self._log = log
        self._playbook = Playbook(script or Script())
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def base_url(self) -> str:
        return f"http://{self._host}:{self.port}/v1"

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def asked(self, count: int = 1) -> None:
        """Returns once so many requests to a model have come."""
        await self._until(lambda: len(self.requests) >= count)

    async def departed(self, count: int = 1) -> None:
        """Returns once so many clients have left in the middle of an answer."""
        await self._until(lambda: self.departures >= count)

    def play(self, script: Script) -> None:
        """Follows this script from its first step."""
        self._playbook = Playbook(script)

    async def _until(self, happened: Callable[[], bool]) -> None:
        while not happened():
            self._news.clear()
            await self._news.wait()

    # ── routes ──────────────────────────────────────────────────────────────────────────

    def _connect(self) -> Connection:
        self.connections += 1
        return Connection(self._serve, self.connections, self._tasks)

    async def _serve(self, exchange: Exchange) -> None:
        request = exchange.request
        path = request.path.removeprefix("/v1")
        match request.method, path:
            case "POST", _ if path in DIALECTS:
                await self._serve_model(exchange, DIALECTS[path])
            case "POST", "/script":
                await self._replace_script(exchange)
            case "POST", "/reset":
                self.requests.clear()
                self.play(self._playbook.script)
                await _send_json(exchange, 200, json.encode({"status": "reset"}))
            case "GET", "/requests":
                seen = {"connections": self.connections, "requests": list(self.requests)}
                await _send_json(exchange, 200, json.encode(seen))
            case "GET", "/models":
                model = {"id": "scripted", "object": "model", "created": 0, "owned_by": "angelia"}
                await _send_json(exchange, 200, json.encode({"object": "list", "data": [model]}))
            case "GET", "/health":
                await _send_json(exchange, 200, json.encode({"status": "ok"}))
            case _:
                missing = ErrorEvent(f"There is no {request.method} {request.path}.", "not_found")
                await _send_json(exchange, 404, chat.refusal(404, missing))

    async def _replace_script(self, exchange: Exchange) -> None:
        request = exchange.request
        try:
            script = parse(request.body, toml="toml" in request.headers.get("content-type", ""))
        except BadRequest as reason:
            event = ErrorEvent(reason.message, "invalid_request_error")
            await _send_json(exchange, 400, chat.refusal(400, event))
            return
        self.play(script)
        await _send_json(exchange, 200, json.encode({"steps": len(script.steps)}))

    # ── answers ─────────────────────────────────────────────────────────────────────────

    async def _serve_model(self, exchange: Exchange, dialect: Dialect) -> None:
        received = _receive(exchange.request)
        self.requests.append(received)
        self._news.set()
        try:
            await self._answer(exchange, dialect)
        except _Refused as refused:
            await self._refuse(exchange, dialect, Fault(status=refused.status), refused.message)
        except asyncio.CancelledError:
            received.left = True
            self.departures += 1
            self._news.set()
            self._tell(exchange.request, "the client left")
            raise

    async def _answer(self, exchange: Exchange, dialect: Dialect) -> None:
        request = exchange.request
        self._check_key(request)
        asked = _read(request, dialect)
        try:
            step, reply = self._playbook.choose(asked, request.headers.get("x-fault"), request.body)
        except BadRequest as reason:
            raise _Refused(400, reason.message) from reason
        number = self._playbook.number
        self._tell(request, _summary(asked, step, reply))
        await asyncio.sleep(step.delay)
        if step.fault.status is not None:
            await self._refuse(exchange, dialect, step.fault, "The script says so.")
        elif asked.stream and step.fault.no_stream == "refuse":
            raise _Refused(400, "Streaming is not supported by this model.")
        else:
            scripted = Scripted(reply, asked.prompt.model, number, step.chunk)
            await self._perform(exchange, dialect, asked, step, scripted)

    async def _perform(
        self, exchange: Exchange, dialect: Dialect, asked: Asked, step: Step, scripted: Scripted
    ) -> None:
        fault = step.fault
        if fault.cut == "start":
            exchange.cut()
            return
        streamed = asked.stream and fault.no_stream is None
        frames, ending = _render(dialect, asked, fault, scripted, streamed=streamed)
        content = "text/event-stream; charset=utf-8" if streamed else "application/json"
        exchange.head(200, {"Content-Type": content, "Cache-Control": "no-cache", **step.headers})
        await asyncio.sleep(fault.delay_first)
        pace = self._pace if step.pace is None else step.pace
        await _send(exchange, frames, pace, fault.trickle)
        await _conclude(exchange, ending)

    async def _refuse(
        self, exchange: Exchange, dialect: Dialect, fault: Fault, message: str
    ) -> None:
        status = fault.status or 400
        kind = _ERROR_TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error")
        body = dialect.refusal(status, ErrorEvent(message, kind))
        if fault.body is not None:
            body = json.encode(fault.body)
        headers: dict[str, str] = {}
        if (wait := fault.retry_after) is not None:
            headers["Retry-After"] = wait if isinstance(wait, str) else f"{wait:g}"
        await _send_json(exchange, status, body, headers)

    def _check_key(self, request: Request) -> None:
        key = self._playbook.script.key
        given = request.headers.get("x-api-key") or request.headers.get("authorization", "")
        if key is not None and given.removeprefix("Bearer ") != key:
            raise _Refused(401, "Incorrect API key provided.")

    def _tell(self, request: Request, news: str) -> None:
        if self._log is not None:
            protocol = request.path.removeprefix("/v1").strip("/")
            self._log(redact(f"#{self._playbook.number} {protocol} {news}"))


def _receive(request: Request) -> Received:
    headers = {
        name: "present" if name in _SECRET_HEADERS else value
        for name, value in request.headers.items()
    }
    return Received(request.path, headers, _as_json(request.body), request.connection)


def _as_json(body: bytes) -> Raw:
    try:
        json.decode(body)
    except (DecodeError, UnicodeDecodeError):
        return Raw(json.encode(body.decode(errors="replace")))
    return Raw(body)


def _read(request: Request, dialect: Dialect) -> Asked:
    """Refuses what the real servers refuse."""
    if dialect is anthropic and "anthropic-version" not in request.headers:
        raise _Refused(400, "anthropic-version: header is required")
    try:
        asked = dialect.read(request.body)
    except (ValidationError, DecodeError, UnicodeDecodeError) as reason:
        raise _Refused(400, f"Invalid request: {reason}") from reason
    if fault := inconsistency(asked.prompt.messages):
        raise _Refused(400, f"Invalid messages: {fault}.")
    return asked


def _render(
    dialect: Dialect, asked: Asked, fault: Fault, scripted: Scripted, *, streamed: bool
) -> tuple[list[Frame], Ending]:
    if fault.no_usage:
        scripted = replace(scripted, reply=replace(scripted.reply, usage=None))
    if streamed:
        return spoil(dialect.stream(scripted, asked), fault, dialect.error(fault.error))
    whole = Frame("whole", dialect.whole(scripted, asked))
    # Some gateways report a failure in a body that goes with status 200.
    error = Frame("whole", dialect.refusal(200, fault.error))
    return spoil([whole], replace(fault, after="start"), error)


async def _send(exchange: Exchange, frames: list[Frame], pace: float, trickle: int) -> None:
    if trickle:
        data = b"".join(frame.data for frame in frames)
        for at in range(0, len(data), trickle):
            await exchange.send(data[at : at + trickle])
            await asyncio.sleep(pace or _TICK)
    elif pace:
        for frame in frames:
            await exchange.send(frame.data)
            if frame.kind in ("reasoning", "text", "arguments"):
                await asyncio.sleep(pace)
    else:
        await exchange.send(*(frame.data for frame in frames))


async def _conclude(exchange: Exchange, ending: Ending) -> None:
    match ending:
        case "end":
            exchange.end()
        case "cut":
            exchange.cut()
        case "stall":
            # The silence ends when the client leaves, which cancels this.
            await asyncio.get_running_loop().create_future()


async def _send_json(
    exchange: Exchange, status: int, body: bytes, headers: dict[str, str] | None = None
) -> None:
    exchange.head(status, {"Content-Type": "application/json", **(headers or {})})
    await exchange.send(body)
    exchange.end()


def _summary(asked: Asked, step: Step, reply: Reply) -> str:
    """One line for people: what was asked, and what is answered."""
    said = " ".join(asked.text.split())
    calls = ", ".join(call.name for call in reply.message.calls)
    answer = f"calls {calls}" if calls else f"text of {len(reply.message.text)} characters"
    fault = json.encode(step.fault).decode()
    spoiled = "" if fault == "{}" else f", fault {fault}"
    return f"{'stream' if asked.stream else 'whole'} {said[:60]!r} → {answer}{spoiled}"


async def run(host: str, port: int, script: Path | None, pace: float) -> None:
    """Serves until it is cancelled; one line on stderr for each request.

    Raises BadRequest for a script that cannot be read.
    """
    # Files are small and nothing is served yet, so reading may block.
    wanted = None if script is None else load(script)
    async with UpstreamServer(wanted, host=host, port=port, pace=pace, log=_print) as server:
        _print(f"scripted model server at {server.base_url}")
        await asyncio.get_running_loop().create_future()


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
