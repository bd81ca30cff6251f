"""One firing of a job becomes a run, once, whatever dies in between."""

from msgspec import Raw, Struct, json
from msgspec.structs import replace

from angelia.core.events import RunStarted
from angelia.core.messages import user
from angelia.ports import ApiKey, Claim, Clock, RunRecord
from angelia.ports.jobs import Firing, Job, JobStore
from angelia.runtime.admission import Admission
from angelia.runtime.keyring import Keyring
from angelia.runtime.orders import Order, order_under, tools_for
from angelia.runtime.runs import Runs

SURFACE = "job"
# As long as a server may be down between the start of a run and the note of it.
CLAIM_SECONDS = 366 * 86_400.0


class Origin(Struct):
    """What the first fact of a run says of the job it comes from, as its metadata."""

    job_id: str = ""
    job: str = ""
    planned_at: float = 0.0
    depth: int = 0


class Starter:
    def __init__(
        self, store: JobStore, runs: Runs, keyring: Keyring, admission: Admission, clock: Clock
    ) -> None:
        self._store = store
        self._runs = runs
        self._keyring = keyring
        self._admission = admission
        self._clock = clock

    async def start(self, job: Job, firing: Firing) -> RunRecord:
        """The run of this firing, which an earlier attempt may have started.

        Raises Forbidden if the job's key may not ask any more, RateLimited if it may not yet.
        """
        claim = self._claim(firing)
        async with self._runs.claiming(job.tenant, claim):
            known = await self._runs.claimed(job.tenant, claim)
            run = known.run if known is not None else await self._begin(job, firing, claim)
        await self._store.settle(replace(firing, status="started", run_id=run.id, reason=""))
        return run

    def toolsets_like(self, run: RunStarted) -> tuple[str, ...] | None:
        """The tools of a run that goes without some of its agent's; None if it has them all."""
        has = {tool.name for tool in run.tools}
        agent = self._runs.agents.named(run.model)
        if all(tool.name in has for tool in tools_for(agent, self._runs.toolbox, None)):
            return None
        return tuple(tool.name for tool in run.tools if tool.owner == "server")

    async def _begin(self, job: Job, firing: Firing, claim: Claim) -> RunRecord:
        key = await self._keyring.usable(job.tenant)
        order = order_of(key, job, firing, claim)
        with await self._admission.admit(key):
            return (await self._runs.start(order)).run

    def _claim(self, firing: Firing) -> Claim:
        """The firing alone is what counts: the job may have been changed since."""
        expires_at = self._clock.now() + CLAIM_SECONDS
        return Claim(f"job:{firing.job_id}:{firing.mark}", firing.mark, expires_at)


def order_of(key: ApiKey, job: Job, firing: Firing, claim: Claim) -> Order:
    errand = job.errand
    return replace(
        order_under(key, SURFACE, (user(errand.input),)),
        model=errand.model,
        instructions=errand.instructions,
        limits=errand.limits,
        toolsets=errand.toolsets,
        session_id=errand.session_id,
        follows=errand.session_id is not None,
        session_key=errand.session_key,
        user=errand.user,
        webhook=errand.webhook,
        metadata=Raw(json.encode(Origin(job.id, job.name, firing.planned_at, job.depth))),
        claim=claim,
    )
