"""The `schedule` tool: jobs that the model makes for later, lists, pauses, resumes and removes."""

from hashlib import sha256
from typing import Annotated, Literal, assert_never

from msgspec import Meta

from angelia.core.policy import Touched
from angelia.errors import RequestError, ToolError
from angelia.ports import Caller, Tool, ToolContext
from angelia.ports.jobs import Draft, Errand, JobDesk, JobFilter, Planned
from angelia.tools.define import Arguments, tool

MOST_LISTED = 100
Action = Literal["create", "list", "pause", "resume", "remove", "run_now"]


def _said(text: str) -> Meta:
    return Meta(description=text)


class Schedule(Arguments, frozen=True):
    action: Annotated[Action, _said("What to do.")]
    schedule: (
        Annotated[
            str,
            _said(
                "create: when; 'every 2h', 'every weekday at 9:00', 'in 20 minutes', "
                "'2026-12-24T18:00', or five fields of cron such as '0 9 * * 1-5'."
            ),
        ]
        | None
    ) = None
    task: (
        Annotated[
            str, _said("create: what the agent is asked each time, with all that it needs to know.")
        ]
        | None
    ) = None
    name: Annotated[str, Meta(max_length=128, description="create: a short title.")] | None = None
    timezone: (
        Annotated[str, _said("create: a zone such as 'Europe/Berlin'; the server's if left out.")]
        | None
    ) = None
    deliver: Annotated[
        Literal["new", "session"],
        _said("create: go on in a session of the job's own, or report back into this one."),
    ] = "new"
    times: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=1_000_000,
                description="create: how often at most; without end if left out.",
            ),
        ]
        | None
    ) = None
    job_id: Annotated[str, _said("pause, resume, remove, run_now: which job.")] | None = None


def schedule(jobs: JobDesk) -> Tool:
    @tool(
        Schedule,
        name="schedule",
        description=(
            "Have work done later or again and again: create jobs, list those there are, pause, "
            "resume, remove or run one now. Each time of a job is a run of its own that knows "
            "only its task and what was said in its session."
        ),
        # The id of a job comes from the call, so that a call repeated after a crash makes no other.
        effect="idempotent",
        emoji="⏰",
        label=lambda a: " ".join(filter(None, (a.action, a.job_id, a.schedule, a.name))),
        lane=lambda _: "schedule",
        touched=lambda a: Touched(harmless=a.action == "list"),
        toolset="schedule",
    )
    async def run(arguments: Schedule, context: ToolContext) -> str:
        try:
            return await _answer(jobs, arguments, context)
        except RequestError as error:
            raise ToolError(error.message) from error

    return run


async def _answer(jobs: JobDesk, asked: Schedule, context: ToolContext) -> str:
    caller = context.caller
    match asked.action:
        case "create":
            made = await jobs.create(await _draft(jobs, asked, context))
            return f"Made. {_line(made)}"
        case "list":
            wanted = JobFilter(caller.tenant, user=caller.user, limit=MOST_LISTED)
            found = [_line(planned) for planned in await jobs.find(wanted)]
            return "\n".join(found) or "There are no jobs."
        case "pause":
            return (
                f"Paused. {_line(await jobs.pause(caller.tenant, await _own(jobs, asked, caller)))}"
            )
        case "resume":
            job_id = await _own(jobs, asked, caller)
            return f"Resumed. {_line(await jobs.resume(caller.tenant, job_id))}"
        case "remove":
            job_id = await _own(jobs, asked, caller)
            await jobs.remove(caller.tenant, job_id)
            return f"Removed {job_id}."
        case "run_now":
            job_id = await _own(jobs, asked, caller)
            started, _ = await jobs.run_now(caller.tenant, job_id, _mark(context))
            return f"Started as run {started.id}."
        case _:
            assert_never(asked.action)


async def _draft(jobs: JobDesk, asked: Schedule, context: ToolContext) -> Draft:
    if asked.schedule is None or asked.task is None or not asked.task.strip():
        raise ToolError("To create a job, say 'schedule' (when) and 'task' (what).")
    caller, job_id = context.caller, f"job_{_mark(context)}"
    session_id = caller.session_id if asked.deliver == "session" else job_id
    return Draft(
        tenant=caller.tenant,
        schedule=asked.schedule,
        errand=Errand(
            asked.task,
            model=caller.model or None,
            session_id=session_id,
            user=caller.user,
            session_key=caller.session_key,
            toolsets=await jobs.toolsets_below(context.run_id),
        ),
        name=asked.name or "",
        timezone=asked.timezone,
        left=asked.times,
        id=job_id,
        depth=await jobs.depth_below(context.run_id),
    )


async def _own(jobs: JobDesk, asked: Schedule, caller: Caller) -> str:
    """The job's id, if it is one of the user that is spoken for."""
    if asked.job_id is None:
        raise ToolError(f"To {asked.action} a job, say 'job_id'; 'list' shows them.")
    job = (await jobs.get(caller.tenant, asked.job_id)).job
    if caller.user is not None and job.errand.user != caller.user:
        raise ToolError(f"There is no job {asked.job_id!r}.")
    return job.id


def _mark(context: ToolContext) -> str:
    return sha256(f"{context.run_id}\0{context.call_id}".encode()).hexdigest()[:22]


def _line(planned: Planned) -> str:
    job = planned.job
    state = job.status if not job.reason else f"{job.status} ({job.reason})"
    upcoming = f", next {planned.times[0]}" if planned.times else ""
    return f"{job.id} {job.name!r}: {job.schedule} ({job.timezone}), {state}{upcoming}"
