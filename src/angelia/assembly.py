"""Plugs adapters into ports; the only module that imports both."""

import asyncio
import gc
import logging
import math
import os
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

import uvicorn
from msgspec import convert
from msgspec.structs import asdict, replace

from angelia.adapters import home_key, logs
from angelia.adapters.demo import DemoModel
from angelia.adapters.file_outputs import FileOutputs
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.deliveries import SqliteDeliveries
from angelia.adapters.sqlite.history import SqliteHistory
from angelia.adapters.sqlite.keys import SqliteKeys
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.sqlite.sessions import SqliteSessions
from angelia.adapters.sqlite.store import SqliteExpired, SqliteRuns
from angelia.adapters.sqlite.usage import SqliteUsage
from angelia.adapters.system_clock import SystemClock
from angelia.adapters.upstream import Endpoint, Upstream
from angelia.adapters.upstream.endpoint import Quirks
from angelia.adapters.upstream.offers import ask_for_offers
from angelia.adapters.webhook_poster import WebhookPoster
from angelia.config import (
    ConfigError,
    ModelSettings,
    Protocol,
    ProviderSettings,
    Settings,
    is_loopback,
)
from angelia.core.events import Delta
from angelia.core.messages import Prompt, Sampling, Text, User
from angelia.core.prices import Prices, cost
from angelia.core.redact import Redactor
from angelia.errors import UpstreamEmpty
from angelia.ports import Clock, ModelClient, Sandbox, Tool
from angelia.runtime.admission import Admission
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.archive import Archive
from angelia.runtime.driver import Pricing
from angelia.runtime.keyring import Keyring, new_secret
from angelia.runtime.meters import Meters
from angelia.runtime.recovery import recover
from angelia.runtime.retention import Sweeper
from angelia.runtime.runs import Runs
from angelia.runtime.services import Services
from angelia.runtime.sessions import Sessions
from angelia.runtime.toolbox import Toolbox
from angelia.runtime.webhooks import Webhooks
from angelia.surfaces.http.app import application
from angelia.surfaces.http.upgraded import Upgraded
from angelia.tools import builtin, installed
from angelia.wire.anthropic.prompt import Quirks as AnthropicQuirks
from angelia.wire.chat.prompt import Quirks as ChatQuirks
from angelia.wire.offers import Offered
from angelia.wire.responses.prompt import Quirks as ResponsesQuirks

DATABASE = "angelia.db"
# Longer than clients keep a connection that nobody uses, or they send into one that closes.
IDLE_SECONDS = 75
logger = logging.getLogger(__name__)
OUTPUTS = "outputs"
_QUIRKS: dict[Protocol, type[Quirks]] = {
    "chat": ChatQuirks,
    "responses": ResponsesQuirks,
    "anthropic": AnthropicQuirks,
}
# Enough for a word of an answer, and for a model on this machine to be loaded.
_PROBE_TOKENS = 32
_PROBE_SECONDS = 120.0


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncGenerator[Services]:
    """Everything a surface needs, on the home folder of `settings`; runs under way go on."""
    logs.configure(settings.server.log_level, settings.server.log_form)
    if settings.mcp_config is not None:
        logger.warning("%s is left alone: this version has no MCP client", settings.mcp_config)
    clock = SystemClock()
    async with AsyncExitStack() as closing:
        database = Database.open(settings.home / DATABASE, clock=clock)
        closing.push_async_callback(database.close)
        secret, made = _secret(settings)
        redact = Redactor(secret, *_upstream_keys(settings))
        logs.configure(settings.server.log_level, settings.server.log_form, redact)
        keyring = Keyring(SqliteKeys(database), clock)
        await keyring.keep_first(secret)
        upstream = Upstream(clock)
        closing.push_async_callback(upstream.close)
        sandbox = _sandbox(settings)
        tools = _tools(settings, sandbox)
        outputs = FileOutputs(settings.home / OUTPUTS)
        meters = Meters(tool.spec.name for tool in tools)
        webhooks = await closing.enter_async_context(_webhooks(settings, database, keyring, meters))
        store, history, usage = SqliteRuns(database), SqliteHistory(database), SqliteUsage(database)
        runs = Runs(
            log=SqliteLog(database),
            store=store,
            history=history,
            outputs=outputs,
            agents=_agents(settings, _model(settings, upstream, clock), tools),
            toolbox=Toolbox(tools, outputs, clock, redact),
            clock=clock,
            price=_pricing(settings),
            meters=meters,
            announce=webhooks.attach,
        )
        closing.push_async_callback(runs.close)
        # Before the runs go on: one that has ended is no longer found by its first fact.
        await webhooks.resume(await store.unfinished())
        await recover(runs, store)
        sweeper = Sweeper(SqliteExpired(database), store, runs, clock, settings.retention.days)
        closing.push_async_callback(_ended, asyncio.create_task(sweeper.go()))
        yield Services(
            settings=settings,
            runs=runs,
            sessions=Sessions(runs, history),
            archive=Archive(
                sessions=SqliteSessions(database), runs=runs, outputs=outputs, clock=clock
            ),
            keyring=keyring,
            admission=Admission(usage, clock, settings.limits, runs.under_way_of),
            usage=usage,
            webhooks=webhooks,
            meters=meters,
            outputs=outputs,
            clock=clock,
            sandbox_level=sandbox.level,
            secret=secret,
            fresh_key=made,
        )


async def _ended(work: asyncio.Task[None]) -> None:
    work.cancel()
    await asyncio.wait((work,))


@asynccontextmanager
async def _webhooks(
    settings: Settings, database: Database, keyring: Keyring, meters: Meters
) -> AsyncGenerator[Webhooks]:
    poster = WebhookPoster(database.clock, allow_private=settings.private_webhooks)
    webhooks = Webhooks(
        store=SqliteDeliveries(database),
        poster=poster,
        log=SqliteLog(database),
        runs=SqliteRuns(database),
        keyring=keyring,
        clock=database.clock,
        allow_private=settings.private_webhooks,
        meters=meters,
    )
    try:
        yield webhooks
    finally:
        await webhooks.close()
        await poster.close()


def _secret(settings: Settings) -> tuple[str, bool]:
    """The home folder's key, and whether it was made just now."""
    known = home_key.read(settings.home)
    given = settings.api_key.reveal() if settings.api_key else None
    secret = given or known or new_secret()
    if secret != known:
        home_key.write(settings.home, secret)
    return secret, known is None and given is None


def _model(settings: Settings, upstream: Upstream, clock: Clock) -> ModelClient:
    return upstream.model(_endpoint(settings.chain[0])) if settings.chain else DemoModel(clock)


def _endpoint(model: ModelSettings) -> Endpoint:
    place = model.provider
    endpoint = Endpoint(
        base_url=place.base_url,
        model=model.model,
        protocol=place.protocol,
        key=place.keys[0].reveal() if place.keys else None,
        headers=place.headers,
        retries=place.retries,
        stream=place.stream,
        quirks=convert(model.quirks, _QUIRKS[place.protocol]),
    )
    given = {name: value for name, value in asdict(place.timeouts).items() if value is not None}
    return replace(endpoint, timeouts=replace(endpoint.patience, **given))


def _pricing(settings: Settings) -> Pricing:
    """By the name the provider reports, else by the one it was asked for."""
    prices = Prices(settings.prices)
    asked = settings.chain[0].model if settings.chain else None
    return lambda model, usage: cost(usage, prices.find(model, asked))


def _upstream_keys(settings: Settings) -> tuple[str, ...]:
    return tuple(key.reveal() for model in settings.models for key in model.provider.keys)


def _sandbox(settings: Settings) -> Sandbox:
    if settings.tools.sandbox == "bubblewrap":
        raise ConfigError(
            "tools.sandbox: this version runs commands without a sandbox; choose 'auto' or 'none'."
        )
    return PlainProcesses(settings.workspace)


def _tools(settings: Settings, sandbox: Sandbox) -> tuple[Tool, ...]:
    own = builtin(
        sandbox,
        LocalWorkspace(settings.workspace),
        terminal_timeout=settings.tools.terminal_timeout,
    )
    wanted = settings.agent.tools
    every = (*own, *installed())
    return every if wanted is None else tuple(t for t in every if t.spec.name in wanted)


def _agents(settings: Settings, model: ModelClient, tools: tuple[Tool, ...]) -> Agents:
    chosen = settings.agent
    agent = Agent(
        name=chosen.name,
        model=model,
        instructions=chosen.instructions,
        tools=tuple(tool.spec for tool in tools),
        limits=chosen.limits,
        policy=settings.approvals.policy,
        context_tokens=settings.chain[0].context_tokens if settings.chain else None,
    )
    return Agents([agent], reject_unknown=chosen.unknown_model == "reject")


# ── questions outside a run ─────────────────────────────────────────────────────────────────


async def ask_once(model: ModelSettings) -> str | None:
    """One cheap question; the name that the provider gives the model. Raises UpstreamError."""
    endpoint = _endpoint(model)
    patience = replace(endpoint.patience, first_token=_PROBE_SECONDS, whole=_PROBE_SECONDS)
    upstream = Upstream(SystemClock())
    words = User((Text("Answer with the word ok."),))
    prompt = Prompt(model.model, "", (words,), sampling=Sampling(max_tokens=_PROBE_TOKENS))
    try:
        client = upstream.model(replace(endpoint, retries=0, timeouts=patience))
        return (await client.ask(prompt, _unseen)).model
    except UpstreamEmpty:
        # A model that thinks first may use up the few tokens before it says a word.
        return None
    finally:
        await upstream.close()


async def _unseen(deltas: Sequence[Delta]) -> None:
    """Nobody follows a question outside a run."""


async def offers(provider: ProviderSettings, seconds: float) -> Offered:
    """The models that a provider says it has."""
    unnamed = ModelSettings(provider.name, provider, "", provider.source)
    return await ask_for_offers(_endpoint(unnamed), seconds)


# ── the server ──────────────────────────────────────────────────────────────────────────────


async def serve(settings: Settings, on_ready: Callable[[Services, str], None]) -> None:
    """Listens until SIGTERM or SIGINT, then lets runs and streams finish for a while."""
    # What start-up made stays; values of runs have no cycles, so there is little to look for.
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    _refuse_strangers(settings)
    with _listen(settings.server.host, settings.server.port) as listening:
        async with open_services(settings) as services:
            server = _Server(
                uvicorn.Config(
                    application(services),
                    http="httptools",
                    loop="none",
                    ws=Upgraded,
                    ws_max_size=settings.server.body_limit,
                    lifespan="off",
                    log_config=None,
                    access_log=False,
                    proxy_headers=False,
                    server_header=False,
                    timeout_keep_alive=IDLE_SECONDS,
                    timeout_graceful_shutdown=math.ceil(settings.server.drain),
                ),
                lambda: on_ready(services, _address(listening)),
            )
            for name in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(name, server.leave)
            await server.serve([listening])


class _Server(uvicorn.Server):
    """A server whose owner handles signals: the process has more to close than sockets."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
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


def _refuse_strangers(settings: Settings) -> None:
    host = settings.server.host
    keyed = settings.api_key is not None or home_key.read(settings.home) is not None
    if not keyed and not is_loopback(host):
        raise ConfigError(
            f"Listening on {host} lets other machines in, and there is no key yet. "
            "Set ANGELIA_API_KEY, or start once on 127.0.0.1 to have one made."
        )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigError(
            f"Cannot listen on {host}:{port}: {os.strerror(error.errno or 0)}. "
            "Another server may use it; choose another port with ANGELIA_PORT."
        ) from error


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
