"""The web as the operator opens it: places, and an engine with its key."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from angelia.config.faults import ConfigError
from angelia.config.secret import Secret
from angelia.config.sections import Tools, Web
from angelia.core.places import places

_WITH_KEY = ("brave", "tavily")


def web(given: Web, environ: Mapping[str, str], file: Path) -> Web:
    """With the key of the search engine, wherever it came from. Raises ConfigError."""
    if not isinstance(given.allow_private, bool):
        _check_places(given.allow_private, "web.allow_private", file)
        if "*" in given.allow_private:
            raise ConfigError(
                f"{file}: web.allow_private: '*' would open everything; write true for that."
            )
    key = _key(given, environ, file)
    if given.search == "searxng" and not given.search_url:
        raise ConfigError(f"{file}: web.search_url is missing: where is your SearXNG?")
    if given.search in _WITH_KEY and key is None:
        raise ConfigError(
            f"{file}: web.search = '{given.search}' needs web.search_key or web.search_key_env."
        )
    return replace(given, search_key=key)


def check_network(tools: Tools, file: Path) -> None:
    """Raises ConfigError for an entry of `tools.network` that is no place."""
    _check_places(tools.network, "tools.network", file)


def _check_places(entries: Iterable[str], setting: str, file: Path) -> None:
    try:
        places(entries)
    except ValueError as error:
        raise ConfigError(f"{file}: {setting}: {error}.") from error


def _key(given: Web, environ: Mapping[str, str], file: Path) -> Secret | None:
    variable = given.search_key_env
    if given.search_key is not None and variable is not None:
        raise ConfigError(
            f"{file}: web.search_key and web.search_key_env exclude each other; keep one."
        )
    if variable is None:
        return given.search_key
    if not environ.get(variable):
        raise ConfigError(f"{file}: web.search_key_env names {variable}, which is not set.")
    return Secret(environ[variable])
