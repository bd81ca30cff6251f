"""Everything a surface needs, on one home folder."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec.structs import replace

from angelia.adapters.sqlite.added_servers import SqliteAddedServers
from angelia.adapters.sqlite.deliveries import SqliteDeliveries
from angelia.adapters.sqlite.grants import SqliteGrants
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.sqlite.sessions import SqliteSessions
from angelia.adapters.sqlite.store import SqliteExpired, SqliteRuns
from angelia.adapters.sqlite.switches import SqliteSwitches
from angelia.adapters.upstream import Upstream
from angelia.adapters.webhook_poster import WebhookPoster
from angelia.assembly.agents import Routes, agents_of, pricing
from angelia.assembly.equipment import Equipment, equipment_of
from angelia.assembly.ground import Ground, ground_of
from angelia.assembly.jobs import scheduler_of
from angelia.config import Settings
from angelia.core.policy import Rule
from angelia.runtime.admission import Admission
from angelia.runtime.approvals import Approvals
from angelia.runtime.archive import Archive
from angelia.runtime.delegation import stop_orphans
from angelia.runtime.mcp_desk import McpDesk
from angelia.runtime.meters import Meters
from angelia.runtime.recovery import recover
from angelia.runtime.retention import Sweeper
from angelia.runtime.runs import Runs
from angelia.runtime.services import Services
from angelia.runtime.sessions import Sessions
from angelia.runtime.switchboard import Switchboard
from angelia.runtime.toolbox import Toolbox
from angelia.runtime.undoing import Undoing
from angelia.runtime.webhooks import Webhooks


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncGenerator[Services]:
    """Everything a surface needs, on the home folder of `settings`; runs under way go on."""
    async with AsyncExitStack() as closing:
        ground = await ground_of(settings, closing)
        # Tools begin runs, and runs call tools.
        equipment = await equipment_of(ground, closing, lambda: runs)
        meters = Meters(tool.spec.name for tool in equipment.tools)
        webhooks = await closing.enter_async_context(_webhooks(ground, meters))
        upstream = Upstream()
        closing.push_async_callback(upstream.close)
        runs = _runs(ground, equipment, Routes(upstream, ground.clock), meters, webhooks)
        closing.push_async_callback(runs.close)
        # Before the runs go on: one that has ended is no longer found by its first fact.
        await webhooks.resume(await ground.store.unfinished())
        await recover(runs, ground.store)
        await stop_orphans(runs, ground.store)
        closing.push_async_callback(_ended, asyncio.create_task(_sweeper(ground, runs).go()))
        yield _services(ground, equipment, runs, webhooks, meters)


def _runs(
    ground: Ground, equipment: Equipment, routes: Routes, meters: Meters, webhooks: Webhooks
) -> Runs:
    settings, outputs, clock = ground.settings, ground.outputs, ground.clock
    sources, off = equipment.sources, equipment.off
    return Runs(
        log=SqliteLog(ground.database),
        store=ground.store,
        history=ground.history,
        outputs=outputs,
        agents=agents_of(settings, routes),
        toolbox=Toolbox(equipment.tools, outputs, clock, ground.redact, sources, off),
        clock=clock,
        price=pricing(settings),
        meters=meters,
        announce=webhooks.attach,
        briefings=equipment.briefings,
        grants=SqliteGrants(ground.database),
    )


def _sweeper(ground: Ground, runs: Runs) -> Sweeper:
    days = ground.settings.retention.days
    return Sweeper(SqliteExpired(ground.database), ground.store, runs, ground.clock, days)


def _services(
    ground: Ground, equipment: Equipment, runs: Runs, webhooks: Webhooks, meters: Meters
) -> Services:
    settings, outputs, clock = ground.settings, ground.outputs, ground.clock
    sessions = SqliteSessions(ground.database)
    admission = Admission(ground.usage, clock, settings.limits, runs.under_way_of)
    return Services(
        settings=settings,
        runs=runs,
        sessions=Sessions(runs, ground.history),
        archive=Archive(
            sessions=sessions,
            runs=runs,
            outputs=outputs,
            clock=clock,
            on_delete=equipment.background.leave,
        ),
        approvals=Approvals(runs, SqliteGrants(ground.database), clock),
        keyring=ground.keyring,
        admission=admission,
        usage=ground.usage,
        webhooks=webhooks,
        jobs=equipment.jobs,
        scheduler=scheduler_of(settings, equipment.jobs, runs, ground.keyring, admission),
        meters=meters,
        outputs=outputs,
        clock=clock,
        storage=ground.database,
        mcp=_mcp_desk(ground, equipment, runs),
        switchboard=Switchboard(runs.toolbox, SqliteSwitches(ground.database)),
        sandbox_level=equipment.sandbox.level,
        sandbox_reason=equipment.sandbox.reason,
        secret=ground.secret,
        fresh_key=ground.fresh_key,
        notebook=equipment.known.notebook,
        skills=equipment.known.skills,
        undoing=Undoing(ground.checkpoints, ground.redact),
    )


def _mcp_desk(ground: Ground, equipment: Equipment, runs: Runs) -> McpDesk:
    approvals, database = ground.settings.approvals, ground.database

    def govern(rules: Sequence[Rule]) -> None:
        """Behind the rules that people have written, which hold first."""
        runs.agents.govern(replace(approvals, rules=(*approvals.rules, *rules)).policy)

    store, switches = SqliteAddedServers(database), SqliteSwitches(database)
    return McpDesk(equipment.mcp, store, switches, ground.clock, govern)


async def _ended(work: asyncio.Task[None]) -> None:
    work.cancel()
    await asyncio.wait((work,))


@asynccontextmanager
async def _webhooks(ground: Ground, meters: Meters) -> AsyncGenerator[Webhooks]:
    settings, database = ground.settings, ground.database
    poster = WebhookPoster(database.clock, allow_private=settings.private_webhooks)
    webhooks = Webhooks(
        store=SqliteDeliveries(database),
        poster=poster,
        log=SqliteLog(database),
        runs=SqliteRuns(database),
        keyring=ground.keyring,
        clock=database.clock,
        allow_private=settings.private_webhooks,
        meters=meters,
    )
    try:
        yield webhooks
    finally:
        await webhooks.close()
        await poster.close()
