"""Where models are, how they are spoken to, and the keys that go with it."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from angelia.config.faults import ConfigError
from angelia.config.model_sections import Provider, Timeouts
from angelia.config.names import FILE, checked_name
from angelia.config.scalars import KeyOrder, Protocol
from angelia.config.secret import Secret
from angelia.config.vendors import BY_NAME, VENDORS, Vendor, in_variable, vendor_at

_CONTROL = frozenset(map(chr, (*range(32), 127)))


class ProviderSettings(Struct, frozen=True):
    """`source` is the setting that brought it. What headers hold may be secret."""

    name: str
    base_url: str
    protocol: Protocol
    source: str
    keys: tuple[Secret, ...] = ()
    key_order: KeyOrder = "round_robin"
    timeouts: Timeouts = Timeouts()
    retries: int = 2
    breaker: int = 5
    secret_headers: Mapping[str, Secret] = {}
    stream: bool = True

    @property
    def headers(self) -> dict[str, str]:
        return {name: text.reveal() for name, text in self.secret_headers.items()}

    @property
    def host(self) -> str:
        """What people may see of the address."""
        return urlsplit(self.base_url).netloc


class Keys(Struct, frozen=True):
    """The ways to give keys, of which one may be used."""

    key: Secret | None = None
    key_env: str | None = None
    keys: tuple[Secret, ...] = ()
    key_envs: tuple[str, ...] = ()

    def check(self, path: str, file: Path) -> None:
        """Raises ConfigError when there is more than one way."""
        ways = {
            "key": self.key is not None,
            "key_env": self.key_env is not None,
            "keys": bool(self.keys),
            "key_envs": bool(self.key_envs),
        }
        used = [f"{path}.{way}" for way, is_used in ways.items() if is_used]
        if len(used) > 1:
            raise ConfigError(f"{file}: {' and '.join(used)} exclude each other; keep one.")

    def found(self, environ: Mapping[str, str], where: str) -> tuple[Secret, ...]:
        """None if none was given. Raises ConfigError."""
        if self.key is not None and not self.key.reveal().strip():
            raise ConfigError(f"{where}.key: is empty; leave it out.")
        if self.key is not None:
            return (self.key,)
        if self.key_env is not None:
            return _held(self.key_env, environ, f"{where}.key_env")
        return self._several(environ, where)

    def _several(self, environ: Mapping[str, str], where: str) -> tuple[Secret, ...]:
        if not all(key.reveal().strip() for key in self.keys):
            raise ConfigError(f"{where}.keys: one of them is empty; leave it out.")
        held = [_held(name, environ, f"{where}.key_envs") for name in self.key_envs]
        # The same key twice is no second key.
        return tuple(dict.fromkeys((*self.keys, *(key for keys in held for key in keys))))


def _held(variable: str, environ: Mapping[str, str], where: str) -> tuple[Secret, ...]:
    keys = in_variable(variable, environ)
    if not keys:
        raise ConfigError(f"{where} names {variable}, which is not set.")
    return keys


def providers(
    given: Mapping[str, Provider], environ: Mapping[str, str], file: Path
) -> dict[str, ProviderSettings]:
    """Every one that the file has. Raises ConfigError."""
    return {
        checked_name(name, f'{file}: providers."{name}"'): _provider(name, section, environ, file)
        for name, section in given.items()
    }


def of_vendor(name: str, environ: Mapping[str, str], where: str) -> ProviderSettings:
    """A vendor that is known by its name and has no section of its own."""
    vendor = BY_NAME[name]
    keys = vendor.keys(environ)
    if not keys:
        raise ConfigError(f"{where} is {name!r}, and {vendor.variable} is not set.")
    return ProviderSettings(name, vendor.base_url, vendor.protocols[0], vendor.variable, keys)


def _provider(
    name: str, given: Provider, environ: Mapping[str, str], file: Path
) -> ProviderSettings:
    where = f'{file}: providers."{name}"'
    own = Keys(keys=given.keys, key_envs=given.key_envs)
    own.check(f'providers."{name}"', file)
    known = BY_NAME.get(name)
    if given.base_url is None and known is None:
        raise ConfigError(
            f"{where}.base_url is missing; it may be left out for "
            f"{', '.join(vendor.name for vendor in VENDORS)}."
        )
    base_url = address(given.base_url or (known.base_url if known else ""), f"{where}.base_url")
    vendor = vendor_at(base_url)
    return ProviderSettings(
        name=name,
        base_url=base_url,
        protocol=given.protocol or (vendor.protocols[0] if vendor else "chat"),
        source=f"{FILE} [providers.{name}]",
        keys=own.found(environ, where) or _vendor_keys(given, vendor, environ, where),
        key_order=given.key_order,
        timeouts=given.timeouts,
        retries=given.retries,
        breaker=given.breaker,
        secret_headers=checked_headers(given.headers, f"{where}.headers"),
        stream=given.stream,
    )


def _vendor_keys(
    given: Provider, vendor: Vendor | None, environ: Mapping[str, str], where: str
) -> tuple[Secret, ...]:
    """Those of the vendor at its address; no other address gets to see them."""
    if vendor is None:
        return ()
    keys = vendor.keys(environ)
    if not keys and not given.headers:
        raise ConfigError(f"{where} has no key; set {vendor.variable}, or give keys or key_envs.")
    return keys


def checked_headers(given: Mapping[str, Secret], where: str) -> Mapping[str, Secret]:
    """Raises ConfigError for what cannot be sent."""
    for name, text in given.items():
        if not name.replace("-", "").isalnum() or not name.isascii():
            raise ConfigError(f'{where}."{name}": is not the name of a header.')
        if _CONTROL & set(text.reveal()):
            raise ConfigError(f'{where}."{name}": holds a line break or the like; take it out.')
    return given


def address(url: str, where: str) -> str:
    """Without a slash at its end. Raises ConfigError."""
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
