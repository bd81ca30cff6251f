"""A model server that follows a script: three protocols, real HTTP, faults on request.

Above: whoever tests a client of such servers. Below: sockets. It shares nothing with the runtime
but the words of the wire.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import DecodeError, Raw, Struct, ValidationError, json
from msgspec.structs import replace

from angelia.core.messages import Reply
from angelia.core.redact import redact
from angelia.errors import BadRequest
from angelia.surfaces.upstream import anthropic, chat, responses
from angelia.surfaces.upstream.asked import Asked, inconsistency
from angelia.surfaces.upstream.delivery import Delivery, Dialect, deliver, send, silence
from angelia.surfaces.upstream.frames import Scripted
from angelia.surfaces.upstream.listener import Connection, Exchange, Request
from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.playbook import Playbook
from angelia.surfaces.upstream.script import (
    NO_FAULT,
    NO_STREAMING,
    Chaos,
    ErrorEvent,
    Fault,
    Script,
    Step,
    load,
    parse,
)
from angelia.surfaces.upstream.strictness import anthropic as strict_anthropic
from angelia.surfaces.upstream.strictness import chat as strict_chat
from angelia.surfaces.upstream.strictness import responses as strict_responses

_REMEMBERED = 1_000
_COUNTED = 50_000
_SHOWN = 120
_CHARACTERS_PER_TOKEN = 4
_SECRET_HEADERS = frozenset({"authorization", "x-api-key", "api-key", "cookie"})
_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


DIALECTS: dict[str, Dialect] = {
    "/chat/completions": chat,
    "/responses": responses,
    "/messages": anthropic,
}
RULES: dict[Dialect, Callable[[bytes, Mint], Iterator[str]]] = {
    chat: strict_chat.complaints,
    responses: strict_responses.complaints,
    anthropic: strict_anthropic.complaints,
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


class Call(Struct, omit_defaults=True):
    """A request in few words: what the user said last, what struck it, why it was refused."""

    path: str
    asked: str = ""
    stream: bool = False
    fault: Fault = NO_FAULT
    refused: str | None = None


class _Refused(Exception):
    """A request that the real servers would refuse."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.event = ErrorEvent(message, _error_type(status))


class UpstreamServer:
    """`async with UpstreamServer(script) as server` listens at `server.base_url` until it leaves.

    `requests` holds the last requests to a model, `calls` many more of them in few words,
    `connections` counts TCP connections.
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
        self.calls: deque[Call] = deque(maxlen=_COUNTED)
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
                self.calls.clear()
                self.play(self._playbook.script)
                await _send_json(exchange, 200, json.encode({"status": "reset"}))
            case "GET", "/requests":
                seen = {"connections": self.connections, "requests": list(self.requests)}
                await _send_json(exchange, 200, json.encode(seen))
            case "GET", "/calls":
                await _send_json(exchange, 200, json.encode(list(self.calls)))
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
        call = Call(exchange.request.path)
        self.calls.append(call)
        try:
            await self._answer(exchange, dialect, call)
        except _Refused as refused:
            call.refused = refused.event.message
            await _refuse(exchange, dialect, Fault(status=refused.status), refused.event)
        except asyncio.CancelledError:
            received.left = True
            self.departures += 1
            self._news.set()
            self._tell(exchange.request, "the client left")
            raise

    async def _answer(self, exchange: Exchange, dialect: Dialect, call: Call) -> None:
        request = exchange.request
        self._check_key(request)
        asked = _read(request, dialect, self._playbook.mint)
        call.asked, call.stream = asked.text[:_SHOWN], asked.stream
        try:
            step, reply = self._playbook.choose(asked, request.headers.get("x-fault"), request.body)
        except BadRequest as reason:
            raise _Refused(400, reason.message) from reason
        fault = step.fault
        call.fault = fault
        self._tell(request, _summary(asked, step, reply))
        number, mint = self._playbook.number, self._playbook.mint
        await asyncio.sleep(step.delay)
        if await _broken(exchange, fault):
            return
        if (event := _overflow(request, dialect, fault)) is not None:
            await _refuse(exchange, dialect, replace(fault, status=400), event)
        elif fault.status is not None:
            event = ErrorEvent("The script says so.", _error_type(fault.status))
            await _refuse(exchange, dialect, fault, event)
        elif asked.stream and fault.no_stream == "refuse":
            await _refuse(exchange, dialect, fault, NO_STREAMING)
        else:
            scripted = Scripted(reply, asked.prompt.model, number, step.chunk, mint)
            await self._perform(exchange, step, deliver(dialect, asked, fault, scripted))

    async def _perform(self, exchange: Exchange, step: Step, delivery: Delivery) -> None:
        fault = step.fault
        if fault.cut == "start":
            exchange.cut()
            return
        about = {"Content-Type": delivery.content_type, "Cache-Control": "no-cache"}
        exchange.head(200, {**about, **step.headers, **fault.headers})
        await asyncio.sleep(fault.delay_first)
        await send(
            exchange, delivery, self._pace if step.pace is None else step.pace, fault.trickle
        )

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


def _read(request: Request, dialect: Dialect, mint: Mint) -> Asked:
    """Refuses what the real servers refuse."""
    if dialect is anthropic and "anthropic-version" not in request.headers:
        raise _Refused(400, "anthropic-version: header is required")
    try:
        asked = dialect.read(request.body)
        complaint = next(RULES[dialect](request.body, mint), None)
    except (ValidationError, DecodeError, UnicodeDecodeError) as reason:
        raise _Refused(400, f"Invalid request: {reason}") from reason
    if fault := inconsistency(asked.prompt.messages):
        raise _Refused(400, f"Invalid messages: {fault}.")
    if complaint is not None:
        raise _Refused(400, f"Invalid request: {complaint}.")
    return asked


def _overflow(request: Request, dialect: Dialect, fault: Fault) -> ErrorEvent | None:
    tokens = len(request.body) // _CHARACTERS_PER_TOKEN
    if fault.overflow is None or tokens <= fault.overflow:
        return None
    return dialect.overflow(tokens, fault.overflow)


async def _broken(exchange: Exchange, fault: Fault) -> bool:
    """Whether this fault leaves no head to be sent."""
    if fault.hang:
        await silence()
    if fault.reset:
        exchange.reset()
    if fault.garbage:
        exchange.garble()
    return fault.reset or fault.garbage


def _error_type(status: int) -> str:
    return _ERROR_TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error")


async def _refuse(exchange: Exchange, dialect: Dialect, fault: Fault, event: ErrorEvent) -> None:
    status = fault.status or 400
    body = dialect.refusal(status, event) if fault.body is None else json.encode(fault.body)
    headers = dict(fault.headers)
    if (wait := fault.retry_after) is not None:
        headers["Retry-After"] = wait if isinstance(wait, str) else f"{wait:g}"
    await _send_json(exchange, status, body, headers)


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


async def run(
    host: str, port: int, script: Path | None, pace: float, chaos: Chaos | None = None
) -> None:
    """Serves until it is cancelled; one line on stderr for each request.

    Raises BadRequest for a script that cannot be read.
    """
    # Files are small and nothing is served yet, so reading may block.
    wanted = Script() if script is None else load(script)
    wanted = wanted if chaos is None else replace(wanted, chaos=chaos)
    async with UpstreamServer(wanted, host=host, port=port, pace=pace, log=_print) as server:
        _print(f"scripted model server at {server.base_url}")
        await asyncio.get_running_loop().create_future()


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
