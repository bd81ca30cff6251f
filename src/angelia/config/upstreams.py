"""Which model is in force, where it is, and the key that goes with it."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from angelia.config.faults import ConfigError
from angelia.config.secret import Secret, text_secret
from angelia.config.sections import Model, Protocol, ThinkTags, Timeouts

FILE = "angelia.toml"
DEMO = "demo"
UNNAMED = "default"


class Upstream(Struct, frozen=True):
    """The model in force. `source` is the setting that brought it."""

    base_url: str
    protocol: Protocol
    model: str
    source: str
    key: Secret | None = None
    timeouts: Timeouts = Timeouts()
    retries: int = 2
    context_tokens: int | None = None
    think_tags: ThinkTags = "auto"
    text_calls: bool = False


class Vendor(Struct, frozen=True):
    """Where a key in the environment leads; the first protocol is the usual one."""

    variable: str
    base_url: str
    protocols: tuple[Protocol, ...]
    model: str

    def key(self, environ: Mapping[str, str]) -> Secret | None:
        return text_secret(environ.get(self.variable))


VENDORS = (
    Vendor("OPENAI_API_KEY", "https://api.openai.com/v1", ("chat", "responses"), "gpt-5.4"),
    Vendor("ANTHROPIC_API_KEY", "https://api.anthropic.com", ("anthropic",), "claude-sonnet-4-5"),
    Vendor("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", ("chat",), "openrouter/auto"),
)
_WAYS_TO_A_MODEL = f"set ANGELIA_BASE_URL or one of {', '.join(v.variable for v in VENDORS)}"


def upstream(
    in_file: Model, model: Model, environ: Mapping[str, str], file: Path
) -> Upstream | None:
    """`in_file` is what the file says alone, `model` with the environment on top."""
    if model.name == DEMO:
        return None
    own_key = _own_key(model, environ, file)
    if base_url := environ.get("ANGELIA_BASE_URL"):
        # The file's protocol and key belong to the file's address.
        protocol = model.protocol if environ.get("ANGELIA_PROTOCOL") else "chat"
        key = text_secret(environ.get("ANGELIA_UPSTREAM_KEY"))
        address = _address(base_url, "ANGELIA_BASE_URL")
        return _at(address, protocol, model, key, environ, "ANGELIA_BASE_URL")
    if model.base_url is not None:
        address = _address(model.base_url, f"{file}: model.base_url")
        return _at(address, model.protocol, model, own_key, environ, f"{FILE} [model]")
    return _of_vendor(in_file, model, own_key, environ, file)


def _at(
    base_url: str,
    protocol: Protocol | None,
    model: Model,
    key: Secret | None,
    environ: Mapping[str, str],
    source: str,
) -> Upstream:
    spoken = protocol or "chat"
    return _with_manners(
        model,
        Upstream(
            base_url,
            spoken,
            model.name or UNNAMED,
            source,
            key or _vendor_key(base_url, spoken, environ),
        ),
    )


def _of_vendor(
    in_file: Model,
    model: Model,
    own_key: Secret | None,
    environ: Mapping[str, str],
    file: Path,
) -> Upstream | None:
    vendor = next((vendor for vendor in _fitting(model.protocol) if vendor.key(environ)), None)
    if vendor is not None:
        chosen = Upstream(
            vendor.base_url,
            model.protocol or vendor.protocols[0],
            model.name or vendor.model,
            vendor.variable,
            own_key or vendor.key(environ),
        )
        return _with_manners(model, chosen)
    if in_file != Model():
        raise ConfigError(f"{file}: model.base_url is missing; {_WAYS_TO_A_MODEL}.")
    for variable in ("ANGELIA_MODEL", "ANGELIA_UPSTREAM_KEY"):
        if environ.get(variable):
            raise ConfigError(f"{variable}: nothing says where the model is; {_WAYS_TO_A_MODEL}.")
    return None


def _fitting(protocol: Protocol | None) -> list[Vendor]:
    return [vendor for vendor in VENDORS if protocol is None or protocol in vendor.protocols]


def _with_manners(model: Model, chosen: Upstream) -> Upstream:
    return msgspec.structs.replace(
        chosen,
        timeouts=model.timeouts,
        retries=model.retries,
        context_tokens=model.context_tokens,
        think_tags=model.think_tags,
        text_calls=model.text_calls,
    )


def _own_key(model: Model, environ: Mapping[str, str], file: Path) -> Secret | None:
    """The key that was given for this very model."""
    if model.key is not None and model.key_env is not None:
        raise ConfigError(f"{file}: model.key and model.key_env exclude each other; keep one.")
    if key := environ.get("ANGELIA_UPSTREAM_KEY"):
        return Secret(key)
    if model.key_env is None:
        return model.key
    if not environ.get(model.key_env):
        raise ConfigError(f"{file}: model.key_env names {model.key_env}, which is not set.")
    return Secret(environ[model.key_env])


def _vendor_key(base_url: str, protocol: Protocol, environ: Mapping[str, str]) -> Secret | None:
    """The key of the vendor at this address, else of the first that speaks the protocol."""
    host = urlsplit(base_url).hostname
    near_first = sorted(_fitting(protocol), key=lambda v: urlsplit(v.base_url).hostname != host)
    return next((key for vendor in near_first if (key := vendor.key(environ))), None)


def _address(url: str, where: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ConfigError(f"{where}: is not a valid address.") from None
    if parts.username is not None or parts.password is not None:
        raise ConfigError(f"{where}: must not contain a password; use a key.")
    if not usable:
        raise ConfigError(f"{where}: expected an address such as http://127.0.0.1:9100/v1.")
    return url.rstrip("/")
