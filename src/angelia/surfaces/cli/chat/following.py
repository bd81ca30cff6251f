"""The events of a run, for as long as it takes: a connection that is lost is made again."""

import asyncio
from collections.abc import AsyncIterator, Callable

import aiohttp
import msgspec
from msgspec import Struct

from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.cli.remote import Remote

_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 5.0
# What a server answers that has yet to start, or a proxy before it.
_PASSING = frozenset({429, 500, 502, 503, 504})
_OVER = ("completed", "failed", "cancelled")


class _Status(Struct, frozen=True):
    status: str
    last_seq: int = 0


async def followed(
    remote: Remote, run_id: str, after: int, on_lost: Callable[[bool], None]
) -> AsyncIterator[bytes]:
    """Each event behind `after` once, in order, to the end of the run.

    `on_lost` is told when the connection is lost, and when it is there again. Raises RequestError
    when the server does not know the run or the key any more.
    """
    pause = _FIRST_PAUSE
    while True:
        try:
            async for event in remote.listen(run_id, after):
                after, pause = int(event.id or after), _FIRST_PAUSE
                on_lost(False)
                yield event.data
            if await _is_over(remote, run_id, after):
                return
        except RequestError as error:
            if error.status not in _PASSING:
                raise
        except (aiohttp.ClientError, TimeoutError, AngeliaError):
            # Nobody answers. Only the person decides that nobody will.
            pass
        on_lost(True)
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


async def patiently(
    remote: Remote, path: str, body: object, key: str, on_lost: Callable[[bool], None]
) -> bytes:
    """What a route answers that starts work; `key` keeps it from being started twice."""
    pause = _FIRST_PAUSE
    while True:
        try:
            answer = await remote.ask("POST", path, body, {"Idempotency-Key": key})
        except RequestError as error:
            if error.status not in _PASSING or error.status == 429:
                raise
        except (aiohttp.ClientError, AngeliaError):
            pass
        else:
            on_lost(False)
            return answer
        on_lost(True)
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


async def _is_over(remote: Remote, run_id: str, after: int) -> bool:
    """Whether the stream has ended because there is nothing more, or because it broke off."""
    answer = await remote.ask("GET", f"/v1/runs/{run_id}")
    run = msgspec.json.decode(answer, type=_Status)
    return run.status in _OVER and after >= run.last_seq
