"""Two connections as one."""

import asyncio
import socket

from angelia.adapters.splice import End, splice


async def pair() -> tuple[End, End]:
    """Two ends of one connection."""
    left, right = socket.socketpair()
    return await asyncio.open_connection(sock=left), await asyncio.open_connection(sock=right)


def close(*ends: End) -> None:
    for _, writer in ends:
        writer.transport.abort()


async def test_bytes_pass_both_ways_until_both_ends_are_done() -> None:
    (here, a), (there, b) = await pair(), await pair()
    work = asyncio.create_task(splice(a, b, 60))
    here[1].write(b"ping")
    assert await there[0].readexactly(4) == b"ping"
    here[1].write_eof()
    assert await there[0].read() == b""
    assert not work.done()
    there[1].write(b"late answer")
    there[1].write_eof()
    assert await here[0].read() == b"late answer"
    await work
    close(here, a, there, b)


async def test_an_end_that_breaks_ends_both() -> None:
    (here, a), (there, b) = await pair(), await pair()
    work = asyncio.create_task(splice(a, b, 60))
    a[1].transport.abort()
    b[1].transport.abort()
    await work
    close(here, there)


async def test_silence_ends_both_and_talk_in_one_direction_is_no_silence() -> None:
    (here, a), (there, b) = await pair(), await pair()
    work = asyncio.create_task(splice(a, b, 0.2))
    for _ in range(6):
        there[1].write(b"x")
        await here[0].readexactly(1)
    await work
    close(here, a, there, b)
