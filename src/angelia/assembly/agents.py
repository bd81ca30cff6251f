"""Agents, and the ways to the models that answer for them."""

from msgspec.structs import asdict, replace

from angelia.adapters.demo import DemoModel
from angelia.adapters.upstream import Endpoint, Timeouts, Upstream, quirks
from angelia.config import AgentSettings, ModelSettings, Settings
from angelia.core.prices import Prices, cost
from angelia.ports import Clock
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.bills import Pricing
from angelia.runtime.routes import Chain, Provider, Route, alone


class Routes:
    """Ways to all models; those at one provider share what is known of it."""

    def __init__(self, upstream: Upstream, clock: Clock) -> None:
        self._upstream = upstream
        self._clock = clock
        self._providers: dict[str, Provider] = {}

    def chain(self, agent: AgentSettings) -> Chain:
        if not agent.chain:
            return alone(DemoModel(self._clock), "demo")
        routes = tuple(self.route(model) for model in agent.chain)
        return Chain(routes, agent.hedge_after)

    def route(self, model: ModelSettings) -> Route:
        place = model.provider
        # A name may be that of a vendor with a key in the environment and of a section as well.
        if place.source not in self._providers:
            self._providers[place.source] = Provider(
                place.name, len(place.keys), place.key_order, place.breaker
            )
        return Route(
            f"{model.model} at {place.host}",
            model.model,
            self._providers[place.source],
            self._upstream.models(endpoint_of(model), [key.reveal() for key in place.keys]),
            place.retries,
        )


def endpoint_of(model: ModelSettings) -> Endpoint:
    place = model.provider
    return Endpoint(
        base_url=place.base_url,
        model=model.model,
        protocol=place.protocol,
        key=place.keys[0].reveal() if place.keys else None,
        headers=place.headers,
        timeouts=Timeouts(**asdict(place.timeouts)),
        stream=place.stream,
        reasoning=model.reasoning,
        think_tags=model.think_tags,
        text_calls=model.text_calls,
        images=model.images,
        quirks=quirks(place.protocol, model.quirks),
    )


def pricing(settings: Settings) -> Pricing:
    """By the name the provider reports, else by the one it was asked for."""
    prices = Prices(settings.prices)
    return lambda usage, *names: cost(usage, prices.find(*names))


def upstream_secrets(settings: Settings) -> set[str]:
    keys = {key.reveal() for model in settings.models for key in model.provider.keys}
    return keys.union(*(endpoint_of(model).secrets for model in settings.models))


def agents_of(settings: Settings, routes: Routes) -> Agents:
    agents = [
        Agent(
            name=given.name,
            chain=routes.chain(given),
            instructions=given.instructions,
            tools=given.tools,
            limits=replace(given.limits, max_repeats=given.max_repeats),
            policy=settings.approvals.policy,
            context_tokens=given.chain[0].context_tokens if given.chain else None,
            summarizer=Chain((routes.route(given.summary),)) if given.summary else None,
            patience=settings.approvals.expires_after,
        )
        for given in settings.agents
    ]
    return Agents(agents, reject_unknown=settings.agent.unknown_model == "reject")
