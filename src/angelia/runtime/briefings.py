"""What agents are told besides their instructions, collected when a run begins."""

from collections.abc import Iterable

from msgspec.structs import replace

from angelia.core.tokens import characters, of_text
from angelia.core.toolsets import admits
from angelia.ports import Briefing, Caller
from angelia.runtime.agents import Agent
from angelia.runtime.orders import Order

# One briefing takes up at most this part of what a model can read.
SHARE = 8
CUT = "[… the rest is left out: it is too long for this model …]"


class WithTool:
    """Told to those alone who may use the tool that it is about."""

    def __init__(self, briefing: Briefing, name: str, toolset: str) -> None:
        self._briefing = briefing
        self._name = name
        self._toolset = toolset

    async def text(self, caller: Caller) -> str:
        return await self._briefing.text(caller)

    def concerns(self, order: Order, agent: Agent) -> bool:
        wanted = (agent.tools, order.allowed, order.toolsets)
        return all(admits(words, self._name, self._toolset) for words in wanted)


async def briefed(briefings: Iterable[Briefing], order: Order, agent: Agent) -> Order:
    """A bare agent is told nothing."""
    if agent.bare:
        return order
    caller = Caller(
        order.tenant,
        order.session_id or "",
        order.user,
        agent.name,
        order.depth,
        order.session_key,
    )
    told = [
        fitting(await briefing.text(caller), agent.context_tokens)
        for briefing in briefings
        if not isinstance(briefing, WithTool) or briefing.concerns(order, agent)
    ]
    return replace(order, briefing="\n\n".join(text for text in told if text))


def fitting(text: str, context: int | None) -> str:
    """No more than a small model can bear besides its work; the last line, which ends it, stays."""
    if context is None or of_text(text) <= context // SHARE:
        return text
    body, _, end = text.rpartition("\n")
    return f"{body[: characters(context // SHARE, text)]}\n{CUT}\n{end}"
