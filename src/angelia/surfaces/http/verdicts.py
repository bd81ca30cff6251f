"""Approval requests of responses, and the items that answer them."""

from msgspec.structs import replace

from angelia.core.events import Asked, RunWaited
from angelia.core.messages import Message, User
from angelia.errors import BadRequest, Conflict, NotFound
from angelia.ports import ApiKey, RunRecord
from angelia.runtime.approvals import Decision, Said
from angelia.runtime.orders import Order
from angelia.runtime.runs import Started
from angelia.runtime.services import Services
from angelia.surfaces.http.requests import shortened
from angelia.wire.responses.ids import question_of
from angelia.wire.responses.items_in import Verdict, assemble
from angelia.wire.responses.request import Asked as Request


async def answered(
    given: Services, key: ApiKey, order: Order, asked: Request, said: Said
) -> Started | None:
    """The run that the items answer, going on.

    None for what was settled before, where people say something besides. Raises Conflict where
    that is all there is.
    """
    run, decisions = await _decisions(given, key, order, asked.verdicts)
    words = _words(order, asked)
    said = replace(said, decisions=decisions, messages=words)
    try:
        going_on = await given.approvals.go_on(run, said)
    except Conflict:
        if words:
            return None
        raise
    if going_on is None and not words:
        await given.approvals.answer(run, decisions[0])
    return going_on


def _words(order: Order, asked: Request) -> tuple[Message, ...]:
    """A client that resends everything says what stands behind its answers for the first time."""
    continues = asked.previous_response_id is not None or asked.conversation is not None
    said = order.messages if continues else assemble(asked.behind, {})
    return tuple(message for message in said if isinstance(message, User))


async def _decisions(
    given: Services, key: ApiKey, order: Order, verdicts: tuple[Verdict, ...]
) -> tuple[RunRecord, tuple[Decision, ...]]:
    runs: dict[str, RunRecord] = {}
    decisions: list[Decision] = []
    for verdict in verdicts:
        run, asked = await _asked(given, key, order, verdict)
        runs[run.id] = run
        choice = "once" if verdict.approve else "deny"
        decisions.append(Decision(choice, asked.approval_id, reason=verdict.reason))
    if len(runs) > 1:
        raise BadRequest(
            "The approval requests are of different runs; answer those of one response at a time.",
            param="input",
            code="invalid_value",
        )
    return next(iter(runs.values())), tuple(decisions)


async def _asked(
    given: Services, key: ApiKey, order: Order, verdict: Verdict
) -> tuple[RunRecord, Asked]:
    """What belongs to another key or user does not exist."""
    where = question_of(verdict.request_id)
    unknown = BadRequest(
        f"There is no approval request {shortened(verdict.request_id)!r}.",
        param=f"{verdict.path}.approval_request_id",
        code="approval_request_not_found",
    )
    if where is None:
        raise unknown
    try:
        run = await given.runs.get(key.id, where.run_id)
        facts = await given.runs.facts(run.id)
    except NotFound:
        raise unknown from None
    event = next((entry.event for entry in facts if entry.seq == where.seq), None)
    asked = event.asked[where.nth :] if isinstance(event, RunWaited) else ()
    if run.user != order.user or not asked:
        raise unknown
    return run, asked[0]
