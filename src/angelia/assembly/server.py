"""The HTTP server as a process: it listens, and leaves in order."""

import asyncio
import gc
import math
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)

import uvicorn

from angelia.adapters import home_address, home_key
from angelia.assembly.services import open_services
from angelia.config import ConfigError, Settings, is_loopback
from angelia.runtime.runs import Runs
from angelia.runtime.services import Services
from angelia.surfaces.console.files import Console
from angelia.surfaces.http.app import application
from angelia.surfaces.http.arriving import arriving
from angelia.surfaces.http.upgraded import Upgraded

# Longer than clients keep a connection that nobody uses, or they send into one that closes.
IDLE_SECONDS = 75
# Who leaves a command is at the keyboard, and does not wait long for other clients.
EMBEDDED_DRAIN = 1.0
# What the system holds of a stream beyond what is on its way. It would hold megabytes, and nobody
# could tell a slow reader from one that takes nothing.
UNSENT_BYTES = 32 * 1024


async def serve(settings: Settings, on_ready: Callable[[Services, str], None]) -> None:
    """Listens until SIGTERM or SIGINT, then lets runs and streams finish for a while."""
    # What start-up made stays; values of runs have no cycles, so there is little to look for.
    gc.freeze()
    gc.set_threshold(10_000, 100, 20)
    _refuse_strangers(settings)
    with _listen(settings.server.host, settings.server.port) as listening:
        # Only a server fires jobs: other commands open the same services for a moment.
        async with open_services(settings) as services, services.scheduler.running():
            config = _config(services, settings.server.drain)
            server = _Server(config, services.runs, lambda: on_ready(services, _address(listening)))
            for name in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(name, server.leave)
            with _findable(settings, listening):
                await server.serve([listening])


@asynccontextmanager
async def embedded_server(
    settings: Settings, *, as_configured: bool = False
) -> AsyncGenerator[tuple[str, str]]:
    """The address and the key of a server in this process, for as long as a command takes.

    One that stands in for a real server listens `as_configured`, unless somebody else does, and
    fires jobs. Signals are its owner's. Raises HomeInUse when another process works in the home
    folder.
    """
    async with open_services(settings) as services, AsyncExitStack() as closing:
        if as_configured:
            await closing.enter_async_context(services.scheduler.running())
        listening = _listen_somewhere(settings) if as_configured else _listen("127.0.0.1", 0)
        ready = asyncio.Event()
        server = _Server(_config(services, EMBEDDED_DRAIN), services.runs, ready.set)
        with listening, _findable(settings, listening):
            serving = asyncio.create_task(server.serve([listening]))
            await ready.wait()
            try:
                yield _address(listening), services.secret
            finally:
                server.leave()
                await serving


def _config(services: Services, drain: float) -> uvicorn.Config:
    return uvicorn.Config(
        Console(application(services)),
        http=arriving(services.settings.server.request_patience),
        loop="none",
        ws=Upgraded,
        ws_max_size=services.settings.server.body_limit,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=math.ceil(drain),
    )


class _Server(uvicorn.Server):
    """A server whose owner handles signals: the process has more to close than sockets."""

    def __init__(self, config: uvicorn.Config, runs: Runs, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._runs = runs
        self._on_ready = on_ready

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    def leave(self) -> None:
        """The first signal drains, the second one does not wait."""
        self.force_exit = self.should_exit
        self.should_exit = True
        # What has no end of its own is not waited for.
        self._runs.bulletin.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Runs that nobody follows are waited for as those are that somebody does."""
        tasks = self.server_state.tasks
        quiet = asyncio.create_task(self._runs.quiet())
        tasks.add(quiet)
        quiet.add_done_callback(tasks.discard)
        await super().shutdown(sockets)


def _refuse_strangers(settings: Settings) -> None:
    host = settings.server.host
    keyed = settings.api_key is not None or home_key.read(settings.home) is not None
    if not keyed and not is_loopback(host):
        raise ConfigError(
            f"Listening on {host} lets other machines in, and there is no key yet. "
            "Set ANGELIA_API_KEY, or start once on 127.0.0.1 to have one made."
        )


def _listen_somewhere(settings: Settings) -> socket.socket:
    """Beyond this machine only where a key keeps strangers out, as ever."""
    try:
        _refuse_strangers(settings)
        return _listen(settings.server.host, settings.server.port)
    except ConfigError:
        return _listen("127.0.0.1", 0)


def _findable(settings: Settings, listening: socket.socket) -> AbstractContextManager[None]:
    """Commands on this machine find it wherever it listens.

    One that other machines reach may be known here by another address, such as that of a
    container: there the settings are believed.
    """
    host: str = listening.getsockname()[0]
    if not is_loopback(host):
        return nullcontext()
    return home_address.left(settings.home, _address(listening))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigError(
            f"Cannot listen on {host}:{port}: {os.strerror(error.errno or 0)}. "
            "Another server may use it; choose another port with ANGELIA_PORT."
        ) from error
    if sys.platform == "linux":
        # Every connection inherits it.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
