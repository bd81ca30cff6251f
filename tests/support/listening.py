"""An application on a real socket, in the process and on the loop of its test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp

from angelia.surfaces.http.upgraded import Upgraded


@asynccontextmanager
async def listening(application: ASGIApp) -> AsyncIterator[str]:
    """The address of a server in this process, which speaks WebSocket as the real one does."""
    config = uvicorn.Config(application, port=0, ws=Upgraded, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    ticking = asyncio.create_task(server.main_loop())
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await ticking
        await server.shutdown()
