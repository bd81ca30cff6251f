"""What people decided about approval requests, as the items that brought it."""

from collections.abc import Iterator, Sequence

from msgspec import Raw, json

from angelia.core.events import ApprovalGiven, ClientReplied, Entry, RunWaited
from angelia.core.legs import leg_around
from angelia.wire.responses.ids import input_id, output_id, response_id
from angelia.wire.responses.response_shapes import McpApprovalResponseOut


def verdict_items(facts: Sequence[Entry], run_id: str, after: int) -> list[Raw]:
    """Those that began the leg behind `after`; words in a message decide without items."""
    given = list(_given(facts, after))
    named = response_id(run_id, after)
    return [
        Raw(
            json.encode(
                McpApprovalResponseOut(
                    input_id("mcpa", named, number),
                    _request_id(facts, run_id, fact.approval_id, after),
                    fact.choice != "deny",
                    fact.reason or None,
                )
            )
        )
        for number, fact in enumerate(given)
    ]


def _given(facts: Sequence[Entry], after: int) -> Iterator[ApprovalGiven]:
    """What was written together with a client's answer that has no words of its own."""
    behind = [entry for entry in facts if entry.seq > after]
    first = behind[0].event if behind else None
    if not isinstance(first, ClientReplied) or first.results or not facts:
        return
    for entry in behind[1:]:
        if not isinstance(entry.event, ApprovalGiven):
            return
        if not first.messages:
            yield entry.event


def _request_id(facts: Sequence[Entry], run_id: str, approval_id: str, after: int) -> str:
    """The id of the last item that asked for it before the leg."""
    for entry in reversed(facts):
        if entry.seq > after or not isinstance(entry.event, RunWaited):
            continue
        ids = [asked.approval_id for asked in entry.event.asked]
        if approval_id in ids:
            leg = leg_around(facts, entry.seq)
            response = response_id(run_id, leg.after if leg else 0)
            return output_id("mcpr", response, entry.seq, ids.index(approval_id))
    return ""
