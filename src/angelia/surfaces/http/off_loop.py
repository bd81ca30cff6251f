"""Reading what is large aside from the loop, so that other requests are answered meanwhile."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

# Below this a thread costs more than it spares.
LARGE = 256 * 1024

Content = TypeVar("Content", bytes, str | bytes)
Read = TypeVar("Read")


async def off_loop(parse: Callable[[Content], Read], content: Content) -> Read:
    if len(content) < LARGE:
        return parse(content)
    return await asyncio.to_thread(parse, content)
