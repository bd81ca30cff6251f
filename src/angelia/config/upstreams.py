"""The one model that needs no name: of `[model]`, of the environment, or of a vendor's variable."""

from collections.abc import Collection, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from angelia.config.faults import ConfigError
from angelia.config.model_sections import Abilities, Model
from angelia.config.models import ModelSettings, described
from angelia.config.names import DEMO, FILE, UNNAMED
from angelia.config.providers import Keys, ProviderSettings, address, checked_headers
from angelia.config.scalars import Protocol
from angelia.config.secret import Secret
from angelia.config.vendors import VENDORS, in_variable, speaking

_WAYS_TO_A_MODEL = f"set ANGELIA_BASE_URL or one of {', '.join(v.variable for v in VENDORS)}"


def upstream(
    in_file: Model,
    model: Model,
    environ: Mapping[str, str],
    file: Path,
    named: Collection[str] = (),
) -> ModelSettings | None:
    """`in_file` is what the file says alone, `model` with the environment on top.

    `named` are the models with names, beside which a vendor's variable alone says nothing.
    """
    if environ.get("ANGELIA_MODEL") in named and not environ.get("ANGELIA_BASE_URL"):
        model = replace(model, name=in_file.name)
    if model.name == DEMO:
        return None
    if in_file.name not in (None, model.name):
        model = _undescribed(model)
    if base_url := environ.get("ANGELIA_BASE_URL"):
        # The file's protocol, key, headers and quirks belong to the file's address.
        protocol = model.protocol if environ.get("ANGELIA_PROTOCOL") else "chat"
        bare = replace(model, protocol=protocol, headers={}, quirks={}, stream=True)
        keys = in_variable("ANGELIA_UPSTREAM_KEY", environ)
        where = address(base_url, "ANGELIA_BASE_URL")
        return _at(where, bare, keys, environ, "ANGELIA_BASE_URL", file)
    own = _own_keys(model, environ, file)
    if model.base_url is not None:
        where = address(model.base_url, f"{file}: model.base_url")
        return _at(where, model, own, environ, f"{FILE} [model]", file)
    return _of_vendor(in_file, model, own, environ, file, named)


def _undescribed(model: Model) -> Model:
    """What the file says of its own model does not hold for another one."""
    usual = Abilities()
    known = {name: getattr(usual, name) for name in Abilities.__struct_fields__}
    return replace(model, **{**known, "quirks": model.quirks})


def _at(
    base_url: str,
    model: Model,
    keys: tuple[Secret, ...],
    environ: Mapping[str, str],
    source: str,
    file: Path,
) -> ModelSettings:
    spoken = model.protocol or "chat"
    found = keys or _vendor_keys(base_url, spoken, environ)
    place = ProviderSettings(UNNAMED, base_url, spoken, source, found)
    return _described(model, place, model.name or UNNAMED, file)


def _of_vendor(
    in_file: Model,
    model: Model,
    own: tuple[Secret, ...],
    environ: Mapping[str, str],
    file: Path,
    named: Collection[str],
) -> ModelSettings | None:
    chosen = environ.get("ANGELIA_MODEL")
    asked = in_file != Model() or (bool(chosen) and chosen not in named)
    vendor = next((vendor for vendor in speaking(model.protocol) if vendor.keys(environ)), None)
    if vendor is not None and (asked or not named):
        spoken = model.protocol or vendor.protocols[0]
        keys = own or vendor.keys(environ)
        place = ProviderSettings(vendor.name, vendor.base_url, spoken, vendor.variable, keys)
        return _described(model, place, model.name or vendor.model, file)
    if in_file != Model():
        raise ConfigError(f"{file}: model.base_url is missing; {_WAYS_TO_A_MODEL}.")
    _refuse_loose_ends(environ, named, asked=asked)
    return None


def _refuse_loose_ends(environ: Mapping[str, str], named: Collection[str], *, asked: bool) -> None:
    """Variables that are for a model of which nobody says where it is."""
    others = f", or name one of {', '.join(named)}" if named else ""
    if asked:
        raise ConfigError(
            f"ANGELIA_MODEL: nothing says where the model is; {_WAYS_TO_A_MODEL}{others}."
        )
    if not environ.get("ANGELIA_UPSTREAM_KEY"):
        return
    if named:
        raise ConfigError(
            "ANGELIA_UPSTREAM_KEY: is for ANGELIA_BASE_URL or [model]; models with names have "
            "the keys of their providers."
        )
    raise ConfigError(f"ANGELIA_UPSTREAM_KEY: nothing says where the model is; {_WAYS_TO_A_MODEL}.")


def _described(model: Model, place: ProviderSettings, name: str, file: Path) -> ModelSettings:
    provider = replace(
        place,
        key_order=model.key_order,
        timeouts=model.timeouts,
        retries=model.retries,
        breaker=model.breaker,
        secret_headers=checked_headers(model.headers, f"{file}: model.headers"),
        stream=model.stream,
    )
    return described(ModelSettings(UNNAMED, provider, name, place.source), model, f"{file}: model")


def _own_keys(model: Model, environ: Mapping[str, str], file: Path) -> tuple[Secret, ...]:
    """The keys that were given for this very model."""
    ways = Keys(model.key, model.key_env, model.keys, model.key_envs)
    ways.check("model", file)
    given = in_variable("ANGELIA_UPSTREAM_KEY", environ)
    return given or ways.found(environ, f"{file}: model")


def _vendor_keys(
    base_url: str, protocol: Protocol, environ: Mapping[str, str]
) -> tuple[Secret, ...]:
    """Those of the vendor at this address, else of the first that speaks the protocol."""
    host = urlsplit(base_url).hostname
    near_first = sorted(speaking(protocol), key=lambda v: urlsplit(v.base_url).hostname != host)
    return next((keys for vendor in near_first if (keys := vendor.keys(environ))), ())
