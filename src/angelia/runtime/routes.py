"""Ways to a model: one model at one provider each, and the chain of them that an agent has."""

import random
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from angelia.core.providers.breaker import Breaker
from angelia.core.providers.pool import KeyOrder, Pool
from angelia.ports import ModelClient

RouteHealth = Literal["ok", "resting", "failing"]


class Provider:
    """What is known of one provider, whichever of its models is asked."""

    def __init__(
        self, name: str, keys: int = 1, order: KeyOrder = "round_robin", faults: int = 5
    ) -> None:
        """`faults` in a row make others go first for a while."""
        self.name = name
        self.pool = Pool(keys, order)
        self.breaker = Breaker(faults)

    def health(self, now: float) -> RouteHealth:
        """`resting`: none of its keys may be used just now."""
        if self.breaker.health(now) == "open":
            return "failing"
        return "resting" if self.pool.wait(now) > 0 else "ok"


class Route(Struct, frozen=True):
    """One model at one provider. `clients` are one for each key, in the order of the pool.

    `model` is what the provider calls it; it is asked `retries` times more than once.
    """

    name: str
    model: str
    provider: Provider
    clients: Sequence[ModelClient]
    retries: int = 2

    def is_fine(self, now: float) -> bool:
        return self.provider.health(now) == "ok"


class Chain(Struct, frozen=True):
    """The routes of an agent, the preferred one first.

    Where the first has shown nothing for `hedge_after` seconds, the second is asked as well.
    `chance` gives numbers from 0 to 1.
    """

    routes: tuple[Route, ...]
    hedge_after: float | None = None
    chance: Callable[[], float] = random.random


def alone(client: ModelClient, name: str = "model", retries: int = 0) -> Chain:
    """A chain for a model that nothing can stand in for."""
    return Chain((Route(name, name, Provider(name), (client,), retries),))
