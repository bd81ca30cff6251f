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
from angelia.adapters.upstream import Endpoint, Timeouts, Upstream, quirks
from angelia.adapters.upstream.offers import ask_for_offers
from angelia.adapters.webhook_poster import WebhookPoster
from angelia.config import (
    FILE,
    AgentSettings,
    ConfigError,
    ModelSettings,
    ProviderSettings,
    Settings,
    is_loopback,
)
from angelia.config.faults import near
from angelia.core.events import Delta
from angelia.core.messages import Prompt, Sampling, Text, User
from angelia.core.prices import Prices, cost
from angelia.core.redact import Redactor
from angelia.errors import UpstreamEmpty
from angelia.ports import Clock, Sandbox, Tool
from angelia.runtime.admission import Admission
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.archive import Archive
from angelia.runtime.driver import Pricing
from angelia.runtime.keyring import Keyring, new_secret
from angelia.runtime.meters import Meters
from angelia.runtime.recovery import recover
from angelia.runtime.retention import Sweeper
from angelia.runtime.routes import Chain, Provider, Route, alone
from angelia.runtime.runs import Runs
from angelia.runtime.services import Services
from angelia.runtime.sessions import Sessions
from angelia.runtime.toolbox import Toolbox
from angelia.runtime.webhooks import Webhooks
from angelia.surfaces.http.app import application
from angelia.surfaces.http.upgraded import Upgraded
from angelia.tools import builtin, installed
from angelia.wire.offers import Offered

DATABASE = "angelia.db"
# Longer than clients keep a connection that nobody uses, or they send into one that closes.
IDLE_SECONDS = 75
logger = logging.getLogger(__name__)
OUTPUTS = "outputs"
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
        redact = Redactor(secret, *_upstream_secrets(settings))
        logs.configure(settings.server.log_level, settings.server.log_form, redact)
        keyring = Keyring(SqliteKeys(database), clock)
        await keyring.keep_first(secret)
        upstream = Upstream()
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
            agents=_agents(settings, _Routes(upstream, clock), tools),
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


class _Routes:
    """Ways to all models; those at one provider share what is known of it."""

    def __init__(self, upstream: Upstream, clock: Clock) -> None:
        self._upstream = upstream
        self._clock = clock
        self._providers: dict[str, Provider] = {}

    def chain(self, agent: AgentSettings) -> Chain:
        if not agent.chain:
            return alone(DemoModel(self._clock), "demo")
        routes = tuple(self.route(model) for model in agent.chain)
        return Chain(routes, agent.hedge_after)

    def route(self, model: ModelSettings) -> Route:
        place = model.provider
        # A name may be that of a vendor with a key in the environment and of a section as well.
        if place.source not in self._providers:
            self._providers[place.source] = Provider(
                place.name, len(place.keys), place.key_order, place.breaker
            )
        return Route(
            f"{model.model} at {place.host}",
            model.model,
            self._providers[place.source],
            self._upstream.models(_endpoint(model), [key.reveal() for key in place.keys]),
            place.retries,
        )


def _endpoint(model: ModelSettings) -> Endpoint:
    place = model.provider
    return Endpoint(
        base_url=place.base_url,
        model=model.model,
        protocol=place.protocol,
        key=place.keys[0].reveal() if place.keys else None,
        headers=place.headers,
        timeouts=Timeouts(**asdict(place.timeouts)),
        stream=place.stream,
        reasoning=model.reasoning,
        think_tags=model.think_tags,
        text_calls=model.text_calls,
        images=model.images,
        quirks=quirks(place.protocol, model.quirks),
    )


def _pricing(settings: Settings) -> Pricing:
    """By the name the provider reports, else by the one it was asked for."""
    prices = Prices(settings.prices)
    return lambda usage, *names: cost(usage, prices.find(*names))


def _upstream_secrets(settings: Settings) -> set[str]:
    keys = {key.reveal() for model in settings.models for key in model.provider.keys}
    return keys.union(*(_endpoint(model).secrets for model in settings.models))


def _sandbox(settings: Settings) -> Sandbox:
    if settings.tools.sandbox == "bubblewrap":
        raise ConfigError(
            "tools.sandbox: this version runs commands without a sandbox; choose 'auto' or 'none'."
        )
    return PlainProcesses(settings.workspace)


def _tools(settings: Settings, sandbox: Sandbox) -> tuple[Tool, ...]:
    """Those that any of the agents has."""
    own = builtin(
        sandbox,
        LocalWorkspace(settings.workspace),
        terminal_timeout=settings.tools.terminal_timeout,
    )
    every = (*own, *installed())
    _refuse_unknown(settings, [tool.spec.name for tool in every])
    return tuple(t for t in every if any(_has(agent, t) for agent in settings.agents))


def _refuse_unknown(settings: Settings, known: Sequence[str]) -> None:
    """An agent that lacks a tool by a slip of the pen would go unnoticed."""
    for number, agent in enumerate(settings.agents):
        path = f'agents."{agent.name}".tools' if number else "agent.tools"
        for name in agent.tools or ():
            if name not in known:
                raise ConfigError(
                    f"{settings.home / FILE}: {path}: there is no tool {name!r}; "
                    f"{near(name, known)}"
                )


def _has(agent: AgentSettings, tool: Tool) -> bool:
    return agent.tools is None or tool.spec.name in agent.tools


def _agents(settings: Settings, routes: _Routes, tools: tuple[Tool, ...]) -> Agents:
    agents = [
        Agent(
            name=given.name,
            chain=routes.chain(given),
            instructions=given.instructions,
            tools=tuple(tool.spec for tool in tools if _has(given, tool)),
            limits=replace(given.limits, max_repeats=given.max_repeats),
            policy=settings.approvals.policy,
            context_tokens=given.chain[0].context_tokens if given.chain else None,
            summarizer=Chain((routes.route(given.summary),)) if given.summary else None,
        )
        for given in settings.agents
    ]
    return Agents(agents, reject_unknown=settings.agent.unknown_model == "reject")


# ── questions outside a run ─────────────────────────────────────────────────────────────────


async def ask_once(model: ModelSettings) -> str | None:
    """One cheap question; the name that the provider gives the model. Raises UpstreamError."""
    endpoint = _endpoint(model)
    waits = replace(endpoint.timeouts, first_token=_PROBE_SECONDS, whole=_PROBE_SECONDS)
    upstream = Upstream()
    words = User((Text("Answer with the word ok."),))
    prompt = Prompt(model.model, "", (words,), sampling=Sampling(max_tokens=_PROBE_TOKENS))
    try:
        client = upstream.model(replace(endpoint, timeouts=waits))
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
