"""Which agents there are: a name, how it is instructed, what it may do and use up."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from angelia.core.policy import Limits, Policy
from angelia.errors import NotFound
from angelia.runtime.routes import Chain, Provider

BARE = ":bare"


class Agent(Struct, frozen=True):
    """A `bare` one is the model alone: no tools, no memory, no session.

    `chain` is who answers, and who does instead; `context_tokens` is how much its model can read
    at once, if that is known. `tools` are those that it has, by name or set; None are all that
    there are. The `summarizer` condenses conversations that are longer; without
    one the model does it itself. `patience` is how many seconds a person may take to be asked.
    """

    name: str
    chain: Chain
    instructions: str = ""
    tools: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    bare: bool = False
    context_tokens: int | None = None
    summarizer: Chain | None = None
    patience: float | None = None

    def stripped(self) -> "Agent":
        return replace(self, name=self.name + BARE, instructions="", tools=(), bare=True)


class Agents:
    """Every agent by its name; the first one is the default."""

    def __init__(self, agents: Sequence[Agent], *, reject_unknown: bool = False) -> None:
        self._by_name: Mapping[str, Agent] = {agent.name: agent for agent in agents}
        self._default = agents[0]
        self._reject_unknown = reject_unknown

    @property
    def default(self) -> Agent:
        return self._default

    def govern(self, policy: Policy) -> None:
        """From now on this is minded of what every agent does."""
        ruled = [replace(agent, policy=policy) for agent in self]
        self._by_name = {agent.name: agent for agent in ruled}
        self._default = ruled[0]

    def __iter__(self) -> Iterator[Agent]:
        return iter(self._by_name.values())

    @property
    def providers(self) -> tuple[Provider, ...]:
        """Everybody who may be asked for an answer."""
        routes = (route for agent in self for route in agent.chain.routes)
        return tuple({id(route.provider): route.provider for route in routes}.values())

    def visible(self, allowed: tuple[str, ...] | None) -> tuple[Agent, ...]:
        return tuple(agent for agent in self if allowed is None or agent.name in allowed)

    def resolve(self, name: str | None, allowed: tuple[str, ...] | None = None) -> Agent:
        """An unknown name means the default agent, unless the configuration rejects it.

        What is not `allowed` does not exist. `:bare` behind a name strips the agent.
        """
        wanted = (name or "").removesuffix(BARE)
        agent = self._find(wanted, allowed, name or "")
        return agent.stripped() if name is not None and name.endswith(BARE) else agent

    def named(self, name: str) -> Agent:
        """The agent of a run that exists already; its name may be gone from the configuration."""
        agent = self._by_name.get(name.removesuffix(BARE), self._default)
        return agent.stripped() if name.endswith(BARE) else agent

    def _find(self, wanted: str, allowed: tuple[str, ...] | None, asked: str) -> Agent:
        visible = self.visible(allowed)
        if (agent := self._by_name.get(wanted)) is not None and agent in visible:
            return agent
        refused = agent is not None or (wanted and self._reject_unknown)
        if refused or not visible:
            known = ", ".join(agent.name for agent in visible) or "none for this key"
            raise NotFound(
                f"The model {asked!r} does not exist. There are: {known}.",
                param="model",
                code="model_not_found",
            )
        return visible[0]
