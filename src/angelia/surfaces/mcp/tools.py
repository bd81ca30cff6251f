"""The tools that an MCP client is offered: start, follow, answer and stop runs."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from angelia.errors import BadRequest
from angelia.surfaces.mcp.following import Tell, Told, follow
from angelia.surfaces.mcp.place import Choice, Place, Wish
from angelia.tools.define import Arguments, schema

_LONGEST_WAIT = 600

A = TypeVar("A", bound=Arguments)

RunId = Annotated[str, Meta(min_length=1, description="Id of the run.")]
Wait = Annotated[
    float,
    Meta(ge=0, le=_LONGEST_WAIT, description="Seconds to wait for the run to end or to ask."),
]
Session = Annotated[str, Meta(min_length=1, description="Go on in this conversation.")]


class StartRun(Arguments, frozen=True):
    input: Annotated[str, Meta(min_length=1, description="What the agent is to do.")]
    session_id: Session | None = None
    model: Annotated[str, Meta(description="Name of the agent, if not the default.")] | None = None
    instructions: Annotated[str, Meta(description="What to tell the agent besides.")] | None = None
    wait: Wait = 0


class FollowRun(Arguments, frozen=True):
    run_id: RunId
    after: Annotated[int, Meta(ge=0, description="`last` of what was told before; 0 is all.")] = 0
    wait: Wait = 30


class OneRun(Arguments, frozen=True):
    run_id: RunId


class ListRuns(Arguments, frozen=True):
    session_id: Session | None = None
    status: Annotated[str, Meta(description="Only runs with this status.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 20


class Approve(Arguments, frozen=True):
    run_id: RunId
    choice: Annotated[
        Choice, Meta(description="once, session and always allow the call; deny refuses it.")
    ]
    approval_id: (
        Annotated[str, Meta(description="Which one, if more than one is pending.")] | None
    ) = None
    reason: Annotated[str, Meta(description="What the agent is told of a refusal.")] = ""


Kind = Literal["changes", "ends", "reads"]
Work = Callable[[Place, bytes, Tell], Awaitable[bytes]]


class Offered(Struct, frozen=True):
    """`kind` is what a call of it does to runs."""

    name: str
    description: str
    schema: bytes
    kind: Kind
    work: Work


async def _start(place: Place, given: bytes, tell: Tell) -> bytes:
    wanted = _parsed(given, StartRun)
    wish = Wish(wanted.input, wanted.session_id, wanted.model, wanted.instructions)
    run_id = await place.start(wish)
    if not wanted.wait:
        return msgspec.json.encode(Told(Raw(await place.run(run_id)), [], 0))
    return msgspec.json.encode(await follow(place, run_id, 0, wanted.wait, tell))


async def _follow(place: Place, given: bytes, tell: Tell) -> bytes:
    wanted = _parsed(given, FollowRun)
    told = await follow(place, wanted.run_id, wanted.after, wanted.wait, tell)
    return msgspec.json.encode(told)


async def _get(place: Place, given: bytes, _: Tell) -> bytes:
    return await place.run(_parsed(given, OneRun).run_id)


async def _list(place: Place, given: bytes, _: Tell) -> bytes:
    wanted = _parsed(given, ListRuns)
    return await place.runs(wanted.session_id, wanted.status, wanted.limit)


async def _stop(place: Place, given: bytes, _: Tell) -> bytes:
    run_id = _parsed(given, OneRun).run_id
    await place.stop(run_id)
    return await place.run(run_id)


async def _approve(place: Place, given: bytes, _: Tell) -> bytes:
    wanted = _parsed(given, Approve)
    await place.approve(wanted.run_id, wanted.approval_id, wanted.choice, wanted.reason)
    return await place.run(wanted.run_id)


def _offered(
    name: str, arguments: type[Arguments], kind: Kind, work: Work, description: str
) -> Offered:
    return Offered(name, description, msgspec.json.encode(schema(arguments)), kind, work)


OFFERED = (
    _offered(
        "start_run",
        StartRun,
        "changes",
        _start,
        "Give a task to an Angelia agent, which works on it with its own tools. Answers at once "
        "with the run's id, or waits for it; the run goes on either way. Go on with follow_run.",
    ),
    _offered(
        "follow_run",
        FollowRun,
        "reads",
        _follow,
        "What has happened in a run behind `after`, and the run as it is now. Waits until it ends "
        "or asks for an approval. `last` is the `after` of the next call.",
    ),
    _offered("get_run", OneRun, "reads", _get, "A run as it is now: status, output, approvals."),
    _offered("list_runs", ListRuns, "reads", _list, "The newest runs."),
    _offered(
        "approve",
        Approve,
        "changes",
        _approve,
        "Answer a run that asks before it calls a tool. A person should decide this.",
    ),
    _offered("stop_run", OneRun, "ends", _stop, "Stop a run; what it has done stays done."),
)


def _parsed(given: bytes, arguments: type[A]) -> A:
    try:
        return msgspec.json.decode(given, type=arguments)
    except msgspec.ValidationError as error:
        raise BadRequest(f"Invalid arguments: {error}") from error
