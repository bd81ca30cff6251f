"""The sections of `angelia.toml` that say where models are and what they are like."""

from msgspec import field

from angelia.config.scalars import (
    Count,
    Faults,
    KeyOrder,
    Protocol,
    Rate,
    Retries,
    Seconds,
    Section,
    ThinkTags,
)
from angelia.config.secret import Secret
from angelia.core.prices import Price


class Timeouts(Section, frozen=True):
    """Seconds; None is whatever suits the endpoint."""

    connect: Seconds | None = None
    first_token: Seconds | None = None
    between_chunks: Seconds | None = None
    whole: Seconds | None = None

    def over(self, others: "Timeouts") -> "Timeouts":
        """These, and the others where these say nothing."""
        return Timeouts(
            others.connect if self.connect is None else self.connect,
            others.first_token if self.first_token is None else self.first_token,
            others.between_chunks if self.between_chunks is None else self.between_chunks,
            others.whole if self.whole is None else self.whole,
        )


class Tariff(Section, frozen=True):
    """What a million tokens of a model cost."""

    input: Rate
    output: Rate
    cached: Rate | None = None
    cache_written: Rate | None = None

    @property
    def price(self) -> Price:
        return Price(self.input, self.output, self.cached, self.cache_written)


class Provider(Section, frozen=True):
    """A place where models are. What is None is known for some vendors by their name.

    After `breaker` faults in a row it is asked last for a while; never, if that is 0.
    """

    base_url: str | None = None
    protocol: Protocol | None = None
    keys: tuple[Secret, ...] = ()
    key_envs: tuple[str, ...] = ()
    key_order: KeyOrder = "round_robin"
    timeouts: Timeouts = Timeouts()
    retries: Retries = 2
    breaker: Faults = 5
    headers: dict[str, Secret] = field(default_factory=dict[str, Secret])
    stream: bool = True


class Abilities(Section, frozen=True):
    """What is known of a model. `quirks` are those of the protocol that it is spoken to in."""

    context_tokens: Count | None = None
    reasoning: bool = False
    images: bool = True
    think_tags: ThinkTags = "auto"
    text_calls: bool = False
    price: Tariff | None = None
    quirks: dict[str, object] = field(default_factory=dict[str, object])


class NamedModel(Abilities, frozen=True, kw_only=True):
    """`name` is what the provider calls it; the name of the section if it is None.

    Its `timeouts` go before those of its provider.
    """

    provider: str
    name: str | None = None
    timeouts: Timeouts = Timeouts()


class Model(Abilities, frozen=True, kw_only=True):
    """Without a `base_url` the rest holds for the vendor whose key is in the environment."""

    base_url: str | None = None
    protocol: Protocol | None = None
    name: str | None = None
    key: Secret | None = None
    key_env: str | None = None
    keys: tuple[Secret, ...] = ()
    key_envs: tuple[str, ...] = ()
    key_order: KeyOrder = "round_robin"
    timeouts: Timeouts = Timeouts()
    retries: Retries = 2
    breaker: Faults = 5
    headers: dict[str, Secret] = field(default_factory=dict[str, Secret])
    stream: bool = True
