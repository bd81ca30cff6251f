"""What agents are told besides their instructions."""

from msgspec.structs import replace

from angelia.adapters.memory.models import ScriptedModel
from angelia.core.tokens import of_text
from angelia.ports import Caller
from angelia.runtime.agents import Agent
from angelia.runtime.briefings import WithTool, briefed, fitting
from angelia.runtime.orders import Order
from angelia.runtime.routes import alone


class Says:
    def __init__(self, words: str) -> None:
        self.words = words
        self.callers: list[Caller] = []

    async def text(self, caller: Caller) -> str:
        self.callers.append(caller)
        return self.words


AGENT = Agent("angelia", alone(ScriptedModel(())))
ORDER = Order("key_1", (), "runs", session_id="s", session_key="work", user="ann", depth=2)


async def told(order: Order, agent: Agent) -> str:
    tool = WithTool(Says("notes"), "memory", "memory")
    return (await briefed((Says("project"), Says(""), tool), order, agent)).briefing


async def test_what_there_is_to_say_stands_in_order() -> None:
    assert await told(ORDER, AGENT) == "project\n\nnotes"


async def test_a_briefing_knows_for_whom_it_is() -> None:
    says = Says("x")
    await briefed((says,), ORDER, AGENT)
    assert says.callers == [Caller("key_1", "s", "ann", "angelia", 2, "work")]


async def test_a_bare_agent_is_told_nothing() -> None:
    assert await told(ORDER, AGENT.stripped()) == ""


async def test_whoever_may_not_use_a_tool_is_not_told_of_it() -> None:
    for order, agent in (
        (ORDER, replace(AGENT, tools=("terminal",))),
        (replace(ORDER, allowed=("read_*",)), AGENT),
        (replace(ORDER, toolsets=()), AGENT),
    ):
        assert await told(order, agent) == "project"
    for order, agent in (
        (ORDER, replace(AGENT, tools=("memory", "terminal"))),
        (replace(ORDER, allowed=("mem*",), toolsets=("memory",)), AGENT),
    ):
        assert await told(order, agent) == "project\n\nnotes"


async def test_a_small_model_is_told_no_more_than_it_can_bear() -> None:
    text = "<project>\n" + "word " * 4000 + "\n</project>"
    assert fitting(text, None) == fitting(text, 1_000_000) == text
    cut = fitting(text, 8_000)
    assert of_text(cut) < 1_050
    assert cut.startswith("<project>\nword ")
    assert cut.endswith("too long for this model …]\n</project>")
    assert fitting("", 100) == ""
    small = replace(AGENT, context_tokens=8_000)
    assert (await briefed((Says(text), Says("notes")), ORDER, small)).briefing == f"{cut}\n\nnotes"
