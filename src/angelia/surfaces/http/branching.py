"""A run that goes on behind another run of its session than the latest."""

from msgspec.structs import replace

from angelia.core.messages import Message
from angelia.errors import BadRequest, Conflict
from angelia.ports import ApiKey
from angelia.runtime.library import ENDED
from angelia.runtime.orders import Order
from angelia.runtime.services import Services
from angelia.wire.runs.request import CreateRun

PARAM = "parent_run_id"


async def branch(given: Services, key: ApiKey, order: Order, asked: CreateRun) -> Order:
    """The order behind the run that `asked` names, or at the root of its session for None.

    Raises BadRequest, NotFound, and Conflict while that run is under way.
    """
    parent = asked.parent or None
    if order.session_id is None:
        raise BadRequest(f"'{PARAM}' needs the 'session_id' that it belongs to.", param=PARAM)
    for name, said in (
        ("previous_response_id", asked.previous_response_id),
        ("conversation_history", asked.history),
    ):
        if said:
            raise BadRequest(f"'{PARAM}' and '{name}' exclude each other.", param=PARAM)
    if given.runs.agents.resolve(order.model, order.models).bare:
        raise BadRequest(
            f"A bare model keeps no sessions; leave out ':bare' or '{PARAM}'.", param=PARAM
        )
    history = await _behind(given, key, order.session_id, parent) if parent else ()
    return replace(order, history=history, parent=parent, follows=False)


async def _behind(
    given: Services, key: ApiKey, session_id: str, run_id: str
) -> tuple[Message, ...]:
    """All that was said up to the end of the run."""
    run = await given.runs.get_in(key.id, session_id, run_id, PARAM)
    if run.status not in ENDED:
        raise Conflict(
            f"The run {run_id!r} is {run.status}. Wait until it has ended, or stop it.",
            param=PARAM,
            code="run_not_finished",
        )
    said = await given.runs.said_by(run)
    if said is None:
        raise Conflict(
            f"The run {run_id!r} has never had its turn in the session; go on behind another run.",
            param=PARAM,
            code="run_not_started",
        )
    return said
