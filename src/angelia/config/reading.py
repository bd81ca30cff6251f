"""From the text of the file and the environment to settings."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import ValidationError
from msgspec.structs import replace

from angelia.config.agents import Choices
from angelia.config.faults import ConfigError, fault
from angelia.config.mcp import with_file, with_tables
from angelia.config.models import models, prices
from angelia.config.names import FILE
from angelia.config.providers import providers
from angelia.config.secret import Secret, as_secret
from angelia.config.sections import File, Users
from angelia.config.settings import Settings
from angelia.config.upstreams import upstream
from angelia.config.web import check_network, web

SHORTEST_KEY = 16

VARIABLES = {
    "ANGELIA_HOST": ("server", "host"),
    "ANGELIA_PORT": ("server", "port"),
    "ANGELIA_LOG": ("server", "log"),
    "ANGELIA_WORKSPACE": ("tools", "workspace"),
    "ANGELIA_SANDBOX": ("tools", "sandbox"),
    "ANGELIA_MCP_CONFIG": ("tools", "mcp_config"),
    "ANGELIA_APPROVALS": ("approvals", "mode"),
    "ANGELIA_PROTOCOL": ("model", "protocol"),
    "ANGELIA_MODEL": ("model", "name"),
}


def load(
    environ: Mapping[str, str],
    *,
    home: Path | None = None,
    overrides: Mapping[str, str] | None = None,
) -> Settings:
    """`overrides` are variables that flags stand for; they win over the environment.

    Raises ConfigError.
    """
    given = {**environ, **(overrides or {})}
    folder = home_folder(given, home)
    for variable in ("ANGELIA_WORKSPACE", "ANGELIA_MCP_CONFIG"):
        if given.get(variable):
            given[variable] = str(Path(given[variable]).expanduser().absolute())
    file = folder / FILE
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        text = ""
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8 text.") from error
    return with_file(settle(text, given, folder), given)


def home_folder(environ: Mapping[str, str], home: Path | None = None) -> Path:
    return (home or Path(environ.get("ANGELIA_HOME") or "~/.angelia")).expanduser().absolute()


def settle(text: str, environ: Mapping[str, str], home: Path) -> Settings:
    """The settings that a file's text and an environment amount to. Raises ConfigError."""
    file = home / FILE
    in_file = _parse(text, file)
    given = _overlaid(text, {name: value for name, value in environ.items() if value})
    workspace = given.tools.workspace or "workspace"
    config = given.tools.mcp_config
    choices = _choices(in_file, given, environ, file)
    check_network(given.tools, file)
    settings = Settings(
        home=home,
        workspace=home / workspace,
        server=given.server,
        agent=given.agent,
        tools=given.tools,
        approvals=given.approvals,
        delegation=given.delegation,
        chat=given.chat,
        responses=given.responses,
        sessions=given.sessions,
        users=_users(given.users, environ, file),
        limits=given.limits,
        prices=prices(given.prices, choices.models, file),
        retention=given.retention,
        webhooks=given.webhooks,
        web=web(given.web, environ, file),
        schedule=given.schedule,
        agents=choices.agents(given),
        models=tuple(choices.models.values()),
        api_key=_api_key(environ),
        mcp_config=None if config is None else home / config,
        memory=given.memory,
    )
    return with_tables(settings, given.mcp, environ, file)


def _choices(in_file: File, given: File, environ: Mapping[str, str], file: Path) -> Choices:
    """The models that agents may choose from."""
    named = models(given.models, providers(given.providers, environ, file), environ, file)
    plain = upstream(in_file.model, given.model, environ, file, named)
    return Choices(plain, named, environ, file)


def _parse(text: str, file: Path) -> File:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}.") from error
    try:
        return _convert(document)
    except ValidationError as error:
        raise ConfigError(f"{file}: {fault(error, document)}") from error


def _overlaid(text: str, environ: Mapping[str, str]) -> File:
    """The file with the environment on top; the file by itself is known to be right."""
    document = tomllib.loads(text)
    for variable, (section, key) in VARIABLES.items():
        if variable not in environ:
            continue
        alone = {section: {key: environ[variable]}}
        try:
            _convert(alone, strict=False)
        except ValidationError as error:
            raise ConfigError(f"{variable}: {fault(error, alone)}") from error
        document.setdefault(section, {})[key] = environ[variable]
    return _convert(document, strict=False)


def _convert(document: object, *, strict: bool = True) -> File:
    return msgspec.convert(document, File, strict=strict, dec_hook=as_secret)


def _api_key(environ: Mapping[str, str]) -> Secret | None:
    key = environ.get("ANGELIA_API_KEY")
    if not key:
        return None
    if len(key) < SHORTEST_KEY:
        raise ConfigError(f"ANGELIA_API_KEY: needs at least {SHORTEST_KEY} characters.")
    return Secret(key)


def _users(users: Users, environ: Mapping[str, str], file: Path) -> Users:
    """With the secret that proves who the user is, if there is one."""
    secret, variable = users.openwebui_secret, users.openwebui_secret_env
    if secret is not None and variable is not None:
        raise ConfigError(
            f"{file}: users.openwebui_secret and users.openwebui_secret_env exclude each other; "
            "keep one."
        )
    if variable is not None:
        if not environ.get(variable):
            raise ConfigError(
                f"{file}: users.openwebui_secret_env names {variable}, which is not set."
            )
        secret = Secret(environ[variable])
    if secret is not None and not secret.reveal():
        # Whoever knows that a secret is empty can sign anything with it.
        raise ConfigError(f"{file}: users.openwebui_secret is empty; leave it out or give one.")
    return replace(users, openwebui_secret=secret)
