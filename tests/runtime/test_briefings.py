"""What agents are told besides their instructions."""

from angelia.core.messages import user
from angelia.ports import Caller
from angelia.runtime.agents import Agent
from angelia.runtime.briefings import briefed
from angelia.runtime.orders import Order, started

AGENT = Agent("angelia", chain=None, instructions="Be kind.")
ORDER = Order("key_1", (user("hi"),), "chat", instructions="Be brief.", user="ada", depth=1)


class Says:
    def __init__(self, text: str) -> None:
        self._text = text
        self.asked: list[Caller] = []

    async def text(self, caller: Caller) -> str:
        self.asked.append(caller)
        return self._text


async def test_briefings_stand_between_the_agents_words_and_the_clients() -> None:
    first, silent, last = Says("One."), Says(""), Says("Two.")
    order = await briefed((first, silent, last), ORDER, AGENT)
    told = started(order, AGENT, "s").instructions
    assert told == "Be kind.\n\nOne.\n\nTwo.\n\nBe brief."
    assert first.asked == [Caller("key_1", "", "ada", "angelia", 1)]


async def test_a_bare_agent_is_told_nothing() -> None:
    briefing = Says("One.")
    assert (await briefed((briefing,), ORDER, AGENT.stripped())) == ORDER
    assert briefing.asked == []
