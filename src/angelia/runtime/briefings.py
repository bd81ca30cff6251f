"""What agents are told besides their instructions, collected when a run begins."""

from collections.abc import Iterable

from msgspec.structs import replace

from angelia.ports import Briefing, Caller
from angelia.runtime.agents import Agent
from angelia.runtime.orders import Order


async def briefed(briefings: Iterable[Briefing], order: Order, agent: Agent) -> Order:
    """A bare agent is told nothing."""
    if agent.bare:
        return order
    caller = Caller(order.tenant, order.session_id or "", order.user, agent.name, order.depth)
    told = [await briefing.text(caller) for briefing in briefings]
    return replace(order, briefing="\n\n".join(text for text in told if text))
