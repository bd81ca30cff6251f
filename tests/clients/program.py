"""A Python client as a program: cases come in on stdin, what it saw of each goes out on stdout."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from tests.clients.cases import Case, Seen, Trouble

Tell = Callable[[Case, Seen], Awaitable[None]]
Errors = tuple[type[Exception], ...]
# What a package lets through when it cannot make sense of a frame.
PARSER_DIED: Errors = (AttributeError, LookupError, TypeError, ValueError)

WEATHER = {
    "name": "weather",
    "description": "The weather in a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}


def run(tell: Tell, own_errors: Errors) -> None:
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=dict[str, Case])
    told = asyncio.run(report(asked, tell, own_errors + PARSER_DIED))
    sys.stdout.buffer.write(msgspec.json.encode(told))


async def report(asked: Mapping[str, Case], tell: Tell, errors: Errors) -> dict[str, Seen]:
    told = await asyncio.gather(*(witness(case, tell, errors) for case in asked.values()))
    return dict(zip(asked, told, strict=True))


async def witness(case: Case, tell: Tell, errors: Errors) -> Seen:
    seen = Seen()
    try:
        await tell(case, seen)
    except errors as error:
        seen.error = trouble(error)
    return seen


def trouble(error: Exception) -> Trouble:
    status, code = (getattr(error, name, None) for name in ("status_code", "code"))
    return Trouble(type(error).__name__, str(error), status, code)


def weather(arguments: str) -> str:
    """What the client's own tool says."""
    return f"sunny in {json.loads(arguments)['city']}"


def compact(arguments: Any) -> str:
    """Arguments that a package has read, as the model wrote them."""
    return msgspec.json.encode(arguments).decode()
