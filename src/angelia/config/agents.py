"""Which agents there are, and the models that each of them asks, one after the other."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from angelia.config.faults import ConfigError, near
from angelia.config.models import ModelSettings
from angelia.config.names import DEMO, checked_name
from angelia.config.sections import File, NamedAgent
from angelia.core.policy import Limits

Head = tuple[ModelSettings, ...]


class AgentSettings(Struct, frozen=True):
    """`chain` are the models in the order in which they are asked; none is the demo model.

    `summary` of None is the agent's own model, `tools` of None are all, `max_repeats` of 0 is
    never.
    """

    name: str
    chain: tuple[ModelSettings, ...]
    summary: ModelSettings | None = None
    hedge_after: float | None = None
    max_repeats: int = 6
    instructions: str = ""
    limits: Limits = Limits()
    tools: tuple[str, ...] | None = None


class Choices:
    """The models that agents may choose from; the plain one is that without a name of its own."""

    def __init__(
        self,
        plain: ModelSettings | None,
        named: Mapping[str, ModelSettings],
        environ: Mapping[str, str],
        file: Path,
    ) -> None:
        self.models = {**({plain.name: plain} if plain else {}), **named}
        self._plain = plain
        self._named = named
        self._environ = environ
        self._file = file

    def agents(self, given: File) -> tuple[AgentSettings, ...]:
        """The default one first. Raises ConfigError."""
        self._check_names(given)
        default = self._default(given)
        forced = self._forced()
        first = self._agent(given.agent.name, given.agent, default, "agent", forced)
        others = (
            self._agent(name, section, default, f'agents."{name}"', None)
            for name, section in given.agents.items()
        )
        return self._with_models((first, *others))

    def _with_models(self, agents: tuple[AgentSettings, ...]) -> tuple[AgentSettings, ...]:
        """A model that is asked for by its own name is the default agent with that model."""
        taken = {agent.name for agent in agents}
        own = (
            replace(agents[0], name=name, chain=(model,), hedge_after=None)
            for name, model in self._named.items()
            if name not in taken
        )
        return (*agents, *own)

    def _check_names(self, given: File) -> None:
        checked_name(given.agent.name, f"{self._file}: agent.name")
        for name in given.agents:
            where = f'{self._file}: agents."{name}"'
            checked_name(name, where)
            if name == given.agent.name:
                raise ConfigError(f"{where}: is the name of [agent] already; rename one of them.")

    def _default(self, given: File) -> Head:
        """The model of whoever names none."""
        if (forced := self._forced()) is not None:
            return forced
        if given.model.name == DEMO:
            return ()
        if self._plain is not None:
            return (self._plain,)
        if given.agent.model is not None:
            return self._head(given.agent.model, "agent.model")
        return tuple(self._named.values())[:1]

    def _forced(self) -> Head | None:
        """What the environment demands of the default agent, if it says anything."""
        name = self._environ.get("ANGELIA_MODEL")
        if name == DEMO:
            return ()
        if self._environ.get("ANGELIA_BASE_URL"):
            return (self._plain,) if self._plain else ()
        if not name:
            return None
        chosen = self._named.get(name) or self._plain
        return (chosen,) if chosen else ()

    def _agent(
        self, name: str, given: NamedAgent, default: Head, path: str, forced: Head | None
    ) -> AgentSettings:
        own = default if given.model is None else self._head(given.model, f"{path}.model")
        return AgentSettings(
            name=name,
            chain=self._chain(given, own, path, forced),
            summary=self._summary(given.summary_model, f"{path}.summary_model"),
            hedge_after=given.hedge_after,
            max_repeats=given.max_repeats,
            instructions=given.instructions,
            limits=given.limits,
            tools=given.tools,
        )

    def _chain(self, given: NamedAgent, own: Head, path: str, forced: Head | None) -> Head:
        """What the environment demands stands before what the file says, not beside it."""
        where = f"{self._file}: {path}"
        if given.hedge_after is not None and not given.fallback:
            raise ConfigError(f"{where}.hedge_after: needs another model to ask; add a fallback.")
        rest = [self._find(name, f"{path}.fallback") for name in given.fallback]
        for place, model in enumerate(rest):
            if model in rest[:place]:
                raise ConfigError(f"{where}.fallback: names {model.name!r} twice; keep one.")
            if model in own and forced is None:
                raise ConfigError(f"{where}.fallback: {model.name!r} falls back to itself.")
        head = own if forced is None else forced
        return (*head, *(model for model in rest if model not in head)) if head else ()

    def _head(self, name: str, path: str) -> Head:
        return () if name == DEMO else (self._find(name, path),)

    def _summary(self, name: str | None, path: str) -> ModelSettings | None:
        return None if name is None else self._find(name, path)

    def _find(self, name: str, path: str) -> ModelSettings:
        if name in self.models:
            return self.models[name]
        way = near(name, self.models) if self.models else "add it as a section [models.NAME]"
        raise ConfigError(f"{self._file}: {path}: there is no model {name!r}; {way}")
