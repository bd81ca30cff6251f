"""Results of a client's own tools: they let the run that waits for them go on."""

from msgspec import UNSET, Raw, Struct, UnsetType

from angelia.core.events import ClientReplied
from angelia.core.identity import run_of_call
from angelia.core.messages import Message, Sampling, ToolResult, ToolSpec
from angelia.core.state import Ended, RunState, Waiting
from angelia.errors import BadRequest, Conflict, NotFound
from angelia.ports import Claim, RunRecord
from angelia.runtime.orders import tools_for
from angelia.runtime.runs import Runs, Started


class Reply(Struct, frozen=True):
    """`param` is where the request has the results; `allowed` as in `Order`."""

    tenant: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] | None
    sampling: Sampling
    param: str
    claim: Claim | None = None
    allowed: tuple[str, ...] | None = None
    request: Raw | UnsetType = UNSET


async def go_on(runs: Runs, reply: Reply) -> Started | None:
    """The run that waits for exactly these results, going on; None if there is no such run."""
    results, said = _brought(reply.messages)
    run = await _owner(runs, reply.tenant, results)
    if run is None:
        return None
    async with runs.replying(run.id):
        state = await runs.state(run.id)
        if not isinstance(state.phase, Waiting):
            return await _joined(runs, run, state, results)
        if not _awaited(state, results, reply.param):
            return None
        fact = ClientReplied(
            results, said, _tools(runs, run, state, reply), reply.sampling, reply.request
        )
        return await _brings(runs, run, reply, fact)


def _tools(
    runs: Runs, run: RunRecord, state: RunState, reply: Reply
) -> tuple[ToolSpec, ...] | None:
    """A client that says nothing of tools changes nothing about them; none brings the server's."""
    if reply.tools is None:
        return None
    has = {tool.name for tool in state.tools if tool.owner == "server"}
    offered = [tool for tool in runs.toolbox.every if tool.spec.name in has]
    return tools_for(runs.agents.named(run.model), offered, reply.tools, reply.allowed)


async def _brings(runs: Runs, run: RunRecord, reply: Reply, fact: ClientReplied) -> Started | None:
    try:
        return Started(run, await runs.reply(run.id, fact, reply.claim))
    except Conflict as refusal:
        # Another request with the same claim was first, or the run was stopped meanwhile.
        if refusal.code == "claim_held" and reply.claim is not None:
            return await runs.claimed(reply.tenant, reply.claim)
        if refusal.code == "run_not_waiting":
            return None
        raise


async def _owner(runs: Runs, tenant: str, results: tuple[ToolResult, ...]) -> RunRecord | None:
    run_id = run_of_call(results[0].call_id) if results else None
    if run_id is None:
        return None
    try:
        return await runs.get(tenant, run_id)
    except NotFound:
        return None


def _awaited(state: RunState, results: tuple[ToolResult, ...], param: str) -> bool:
    """Raises BadRequest if some of the results that the run waits for are missing."""
    awaited = [call.call.id for call in state.calls if call.status == "client"]
    brought = {result.call_id for result in results}
    if not brought <= set(awaited):
        return False
    if missing := [call_id for call_id in awaited if call_id not in brought]:
        raise BadRequest(
            f"The run waits for the results of all its calls. Missing: {', '.join(missing)}.",
            param=param,
            code="missing_tool_results",
        )
    return True


async def _joined(
    runs: Runs, run: RunRecord, state: RunState, results: tuple[ToolResult, ...]
) -> Started | None:
    """A run under way that got these very results a moment ago is what a repeated request means."""
    if isinstance(state.phase, Ended):
        return None
    replies = [
        entry for entry in await runs.facts(run.id) if isinstance(entry.event, ClientReplied)
    ]
    last = replies[-1] if replies else None
    if last is None or not isinstance(last.event, ClientReplied) or last.event.results != results:
        return None
    return Started(run, last.seq - 1, replayed=True)


def _brought(
    messages: tuple[Message, ...],
) -> tuple[tuple[ToolResult, ...], tuple[Message, ...]]:
    """The results at the end of a conversation that a run may wait for, and what follows them."""
    places = [place for place, said in enumerate(messages) if isinstance(said, ToolResult)]
    if not places:
        return (), ()
    last = first = places[-1]
    while first > 0 and isinstance(messages[first - 1], ToolResult):
        first -= 1
    tail = (said for said in messages[first : last + 1] if isinstance(said, ToolResult))
    return tuple(tail), messages[last + 1 :]
