"""The model makes jobs, once for each call, and only sees those of whom it speaks with."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.policy import Touched
from angelia.errors import ToolError
from angelia.ports import Caller
from angelia.ports.jobs import JobFilter
from angelia.runtime.jobs import DEEPEST
from angelia.tools.schedule import schedule
from tests.runtime.office import TENANT, Office
from tests.runtime.world import OK
from tests.tools.watching import Watcher


class Call(Watcher):
    def __init__(
        self, call_id: str = "call_1", user: str | None = None, run_id: str = "run_1"
    ) -> None:
        super().__init__()
        self.call_id = call_id
        self.run_id = run_id
        self.caller = Caller(TENANT, "talk", user, "angelia")

    async def tell(self, event: object) -> None:
        raise NotImplementedError


async def ask(office: Office, context: Call | None = None, **arguments: Any) -> str:
    output = await schedule(office.jobs).call(json.dumps(arguments), context or Call())
    return output.text


NEW = {"action": "create", "schedule": "every 2h", "task": "look around"}


async def only(office: Office) -> Any:
    (planned,) = await office.jobs.find(JobFilter(TENANT))
    return planned.job


async def test_a_job_goes_on_in_a_session_of_its_own() -> None:
    office = await Office().opened()
    said = await ask(office, **NEW, name="watch", times=3, timezone="europe/berlin")
    job = await only(office)
    assert (job.name, job.left, job.timezone, job.depth) == ("watch", 3, "Europe/Berlin", 0)
    assert (job.errand.input, job.errand.model) == ("look around", "angelia")
    assert job.errand.session_id == job.id
    assert said.startswith(f"Made. {job.id} 'watch': every 2h (Europe/Berlin), active, next 2026-")


async def test_a_job_goes_without_the_tools_that_its_maker_goes_without() -> None:
    office = await Office(OK).opened()
    narrow = await office.start(toolsets=("none of ours",))
    await ask(office, Call(run_id=narrow), **NEW)
    assert (await only(office)).errand.toolsets == ()


async def test_a_job_may_report_back_into_the_session_it_was_made_in() -> None:
    office = await Office().opened()
    await ask(office, **NEW, deliver="session")
    assert (await only(office)).errand.session_id == "talk"


async def test_a_call_that_is_repeated_after_a_crash_makes_no_other_job() -> None:
    office = await Office().opened()
    first = await ask(office, **NEW)
    assert await ask(office, **NEW) == first
    await only(office)
    await ask(office, Call("call_2"), **NEW)
    assert len(await office.jobs.find(JobFilter(TENANT))) == 2


async def test_a_job_is_paused_resumed_run_and_removed() -> None:
    office = await Office().opened()
    await ask(office, **NEW)
    job = await only(office)
    assert "paused" in await ask(office, action="pause", job_id=job.id)
    assert "paused" in await ask(office, action="list")
    assert "active, next" in await ask(office, action="resume", job_id=job.id)
    started = await ask(office, Call("now"), action="run_now", job_id=job.id)
    assert await ask(office, Call("now"), action="run_now", job_id=job.id) == started
    assert len(await office.job_runs()) == 1
    assert await ask(office, action="remove", job_id=job.id) == f"Removed {job.id}."
    assert await ask(office, action="list") == "There are no jobs."


async def test_a_user_has_nothing_to_do_with_the_jobs_of_another() -> None:
    office = await Office().opened()
    await ask(office, Call(user="ann"), **NEW)
    job = await only(office)
    assert job.errand.user == "ann"
    assert await ask(office, Call(user="bob"), action="list") == "There are no jobs."
    for action in ("pause", "resume", "remove", "run_now"):
        with pytest.raises(ToolError, match="There is no job"):
            await ask(office, Call(user="bob"), action=action, job_id=job.id)
    assert job.id in await ask(office, Call(user="ann"), action="list")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"action": "create"}, "say 'schedule' \\(when\\) and 'task'"),
        ({"action": "create", "schedule": "every 2h", "task": " "}, "'task'"),
        ({**NEW, "schedule": "soon"}, "Examples: 'every 2h'"),
        ({**NEW, "timezone": "Mars"}, "no time zone"),
        ({"action": "pause"}, "say 'job_id'"),
        ({"action": "remove", "job_id": "job_x"}, "There is no job 'job_x'"),
        ({"action": "explode"}, "Invalid arguments"),
        ({**NEW, "times": 0}, "Invalid arguments"),
    ],
)
async def test_the_model_is_told_what_is_wrong(arguments: dict[str, Any], said: str) -> None:
    office = await Office().opened()
    with pytest.raises(ToolError, match=said):
        await ask(office, **arguments)


async def test_jobs_that_make_each_other_come_to_an_end() -> None:
    office = await Office().opened()
    run_id = "run_1"
    for depth in range(DEEPEST + 1):
        await ask(office, Call(run_id=run_id), **NEW)
        newest = (await office.jobs.find(JobFilter(TENANT)))[0].job
        assert newest.depth == depth
        run_id = (await office.jobs.run_now(TENANT, newest.id, "now"))[0].id
    with pytest.raises(ToolError, match="deep"):
        await ask(office, Call(run_id=run_id), **NEW)


def test_only_looking_is_harmless() -> None:
    tool = schedule(Office().jobs)
    assert tool.touched('{"action": "list"}') == Touched(harmless=True)
    assert tool.touched('{"action": "remove", "job_id": "x"}') == Touched()
    assert tool.toolset == "schedule"
    assert tool.spec.effect == "idempotent"


@given(st.dictionaries(st.sampled_from(["action", "schedule", "task", "job_id"]), st.text()))
async def test_no_arguments_break_it(arguments: dict[str, str]) -> None:
    office = await Office().opened()
    for action in (arguments.get("action", ""), "create", "pause"):
        with suppress(ToolError):
            await ask(office, **{**arguments, "action": action})
