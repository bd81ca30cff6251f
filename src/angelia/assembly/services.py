"""Everything a surface needs, on one home folder."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from angelia.adapters import home_key, logs
from angelia.adapters.file_outputs import FileOutputs
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.deliveries import SqliteDeliveries
from angelia.adapters.sqlite.grants import SqliteGrants
from angelia.adapters.sqlite.history import SqliteHistory
from angelia.adapters.sqlite.keys import SqliteKeys
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.sqlite.sessions import SqliteSessions
from angelia.adapters.sqlite.store import SqliteExpired, SqliteRuns
from angelia.adapters.sqlite.usage import SqliteUsage
from angelia.adapters.system_clock import SystemClock
from angelia.adapters.upstream import Upstream
from angelia.adapters.webhook_poster import WebhookPoster
from angelia.assembly.agents import Routes, agents_of, pricing, upstream_secrets
from angelia.assembly.tools import sandbox_of, tools_of
from angelia.config import Settings
from angelia.core.redact import Redactor
from angelia.runtime.admission import Admission
from angelia.runtime.approvals import Approvals
from angelia.runtime.archive import Archive
from angelia.runtime.keyring import Keyring, new_secret
from angelia.runtime.meters import Meters
from angelia.runtime.recovery import recover
from angelia.runtime.retention import Sweeper
from angelia.runtime.runs import Runs
from angelia.runtime.services import Services
from angelia.runtime.sessions import Sessions
from angelia.runtime.toolbox import Toolbox
from angelia.runtime.webhooks import Webhooks

DATABASE = "angelia.db"
OUTPUTS = "outputs"


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncGenerator[Services]:
    """Everything a surface needs, on the home folder of `settings`; runs under way go on."""
    logs.configure(settings.server.log_level, settings.server.log_form)
    clock = SystemClock()
    async with AsyncExitStack() as closing:
        database = Database.open(settings.home / DATABASE, clock=clock)
        closing.push_async_callback(database.close)
        secret, made = _secret(settings)
        redact = Redactor(secret, *upstream_secrets(settings))
        logs.configure(settings.server.log_level, settings.server.log_form, redact)
        keyring = Keyring(SqliteKeys(database), clock)
        await keyring.keep_first(secret)
        upstream = Upstream()
        closing.push_async_callback(upstream.close)
        sandbox = sandbox_of(settings)
        tools = tools_of(settings, sandbox)
        outputs = FileOutputs(settings.home / OUTPUTS)
        meters = Meters(tool.spec.name for tool in tools)
        webhooks = await closing.enter_async_context(_webhooks(settings, database, keyring, meters))
        store, history, usage = SqliteRuns(database), SqliteHistory(database), SqliteUsage(database)
        grants = SqliteGrants(database)
        runs = Runs(
            log=SqliteLog(database),
            store=store,
            history=history,
            outputs=outputs,
            agents=agents_of(settings, Routes(upstream, clock)),
            toolbox=Toolbox(tools, outputs, clock, redact),
            clock=clock,
            price=pricing(settings),
            meters=meters,
            announce=webhooks.attach,
            grants=grants,
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
            approvals=Approvals(runs, grants, clock),
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
