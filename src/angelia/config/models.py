"""Which models there are: a name of ours for a model at a provider, and what is known of it."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from angelia.config.faults import ConfigError, near
from angelia.config.model_sections import Abilities, NamedModel, Tariff
from angelia.config.names import DEMO, FILE, UNNAMED, checked_name
from angelia.config.providers import ProviderSettings, of_vendor
from angelia.config.quirks import checked
from angelia.config.scalars import ThinkTags
from angelia.config.vendors import BY_NAME, usual_quirks
from angelia.core.prices import Price

_TAKEN = {DEMO: "the built-in model", UNNAMED: "the model of [model] or the environment"}


class ModelSettings(Struct, frozen=True):
    """`model` is what the provider calls it; `quirks` are those its protocol knows.

    `source` is the setting that brought it.
    """

    name: str
    provider: ProviderSettings
    model: str
    source: str
    context_tokens: int | None = None
    reasoning: bool = False
    images: bool = True
    think_tags: ThinkTags = "auto"
    text_calls: bool = False
    price: Price | None = None
    quirks: Mapping[str, object] = {}

    @property
    def line(self) -> str:
        """For people: what it is, where, and why."""
        return f"{self.model} at {self.provider.host} ({self.source})"


def models(
    given: Mapping[str, NamedModel],
    providers: Mapping[str, ProviderSettings],
    environ: Mapping[str, str],
    file: Path,
) -> dict[str, ModelSettings]:
    """Every one that the file names. Raises ConfigError."""
    found: dict[str, ModelSettings] = {}
    for name, section in given.items():
        where = f'{file}: models."{name}"'
        _check_name(name, file)
        provider = _provider(section.provider, providers, environ, f"{where}.provider")
        provider = replace(provider, timeouts=section.timeouts.over(provider.timeouts))
        source = f"{FILE} [models.{name}]"
        found[name] = described(
            ModelSettings(name, provider, section.name or name, source), section, where
        )
    return found


def described(model: ModelSettings, known: Abilities, where: str) -> ModelSettings:
    """The model with what its section says of it. Raises ConfigError."""
    place = model.provider
    usual = usual_quirks(place.base_url, place.protocol)
    return ModelSettings(
        name=model.name,
        provider=place,
        model=model.model,
        source=model.source,
        context_tokens=known.context_tokens,
        reasoning=known.reasoning,
        images=known.images,
        think_tags=known.think_tags,
        text_calls=known.text_calls,
        price=known.price.price if known.price else None,
        quirks={**usual, **checked(known.quirks, place.protocol, f"{where}.quirks")},
    )


def prices(
    tariffs: Mapping[str, Tariff], known: Mapping[str, ModelSettings], file: Path
) -> Mapping[str, Price]:
    """What `[prices]` says, and above it what a model says of itself; of two, the first."""
    for name in tariffs:
        if not name or "*" in name[:-1]:
            raise ConfigError(
                f'{file}: prices."{name}": expected the name of a model, or its beginning and a *.'
            )
    listed = {name: tariff.price for name, tariff in tariffs.items()}
    own = {model.model: model.price for model in reversed(tuple(known.values())) if model.price}
    return {**listed, **own}


def _check_name(name: str, file: Path) -> None:
    if ":" in name:
        raise ConfigError(
            f'{file}: models."{name}": a name must not contain a colon; choose another, and '
            f'say name = "{name}" in it.'
        )
    if name in _TAKEN:
        raise ConfigError(
            f'{file}: models."{name}": is the name of {_TAKEN[name]}; choose another.'
        )
    checked_name(name, f'{file}: models."{name}"')


def _provider(
    name: str, providers: Mapping[str, ProviderSettings], environ: Mapping[str, str], where: str
) -> ProviderSettings:
    if name in providers:
        return providers[name]
    if name in BY_NAME:
        return of_vendor(name, environ, where)
    known = dict.fromkeys((*providers, *BY_NAME))
    raise ConfigError(f"{where}: there is no provider {name!r}; {near(name, known)}")
