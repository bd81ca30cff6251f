"""The response that a request goes on from."""

from collections.abc import Sequence

from msgspec import Struct

from angelia.core.events import Entry
from angelia.core.legs import leg_after
from angelia.core.messages import Message
from angelia.errors import Conflict, NotFound
from angelia.ports import ApiKey, RunRecord
from angelia.runtime.library import ENDED
from angelia.runtime.services import Services
from angelia.wire.responses.ids import leg_of


class Previous(Struct, frozen=True):
    """`messages` is all that was said up to the end of that response."""

    run: RunRecord
    messages: tuple[Message, ...]


async def previous(given: Services, key: ApiKey, response_id: str) -> Previous:
    """Raises NotFound, or Conflict while that response is under way.

    What was not stored cannot be gone on from.
    """
    leg = leg_of(response_id)
    unknown = NotFound(
        f"There is no response {response_id!r}.",
        param="previous_response_id",
        code="previous_response_not_found",
    )
    if leg is None:
        raise unknown
    try:
        run, said = await given.sessions.behind(key.id, leg.run_id, leg.after)
    except NotFound:
        raise unknown from None
    if not run.stored:
        raise unknown
    if run.status not in ENDED:
        _refuse_unfinished(await given.runs.facts(run.id), leg.after, response_id)
    return Previous(run, said)


def _refuse_unfinished(facts: Sequence[Entry], after: int, response_id: str) -> None:
    leg = leg_after(facts, after)
    if leg is None or leg.end is None:
        raise Conflict(
            f"The response {response_id!r} is under way. Wait until it has ended, or cancel it.",
            param="previous_response_id",
            code="run_not_finished",
        )
