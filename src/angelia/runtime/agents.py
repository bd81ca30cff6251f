"""Which agents there are: a name, how it is instructed, what it may do and use up."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from angelia.core.messages import ToolSpec
from angelia.core.policy import Limits, Policy
from angelia.errors import NotFound
from angelia.ports import ModelClient


class Agent(Struct, frozen=True):
    name: str
    model: ModelClient
    instructions: str = ""
    tools: tuple[ToolSpec, ...] = ()
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)


class Agents:
    """Every agent by its name; the first one is the default."""

    def __init__(self, agents: Sequence[Agent], *, reject_unknown: bool = False) -> None:
        self._by_name: Mapping[str, Agent] = {agent.name: agent for agent in agents}
        self._default = agents[0]
        self._reject_unknown = reject_unknown

    @property
    def default(self) -> Agent:
        return self._default

    def __iter__(self) -> Iterator[Agent]:
        return iter(self._by_name.values())

    def resolve(self, name: str | None) -> Agent:
        """An unknown name means the default agent, unless the configuration rejects it."""
        if not name:
            return self._default
        agent = self._by_name.get(name)
        if agent is None and self._reject_unknown:
            known = ", ".join(self._by_name)
            raise NotFound(
                f"The model {name!r} does not exist. There are: {known}.",
                param="model",
                code="model_not_found",
            )
        return agent or self._default

    def named(self, name: str) -> Agent:
        """The agent of a run that exists already; its name may be gone from the configuration."""
        return self._by_name.get(name, self._default)
