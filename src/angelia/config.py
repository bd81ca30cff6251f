"""Settings: from `angelia.toml`, the environment and flags, each stronger than the one before.

`settle` is the whole of it and touches nothing; `load` reads the file and calls it. No key is ever
part of a message or of a `repr`.
"""

import difflib
import ipaddress
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, ValidationError
from msgspec.structs import fields

from angelia.core.policy import Limits, Policy
from angelia.errors import AngeliaError

FILE = "angelia.toml"
DEMO = "demo"
UNNAMED = "default"
SHORTEST_KEY = 16

Protocol = Literal["chat", "responses", "anthropic"]
Seconds = Annotated[float, Meta(gt=0)]
Count = Annotated[int, Meta(ge=1)]


class ConfigError(AngeliaError):
    """A setting that cannot be used; the message names it, where it is, and the way out."""


class Secret:
    """Text that shows itself only to whoever asks for it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.reveal() == self._text

    def __hash__(self) -> int:
        return hash(self._text)


# ── the file ────────────────────────────────────────────────────────────────────────────────


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Server(Section, frozen=True):
    """`drain` is how many seconds a stop waits for runs; `log` is a level and a form."""

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8642
    body_limit: Count = 20 * 1024 * 1024
    cors_origins: tuple[str, ...] = ()
    keep_alive: Seconds = 15
    drain: Annotated[float, Meta(ge=0)] = 10
    log: Annotated[str, Meta(pattern="(?i)^(debug|info|warning|error)(,(text|json))?$")] = (
        "info,text"
    )

    @property
    def log_level(self) -> str:
        return self.log.lower().partition(",")[0]

    @property
    def log_form(self) -> str:
        return self.log.lower().partition(",")[2] or "text"


class Timeouts(Section, frozen=True):
    """Seconds; None is whatever suits the endpoint."""

    connect: Seconds | None = None
    first_token: Seconds | None = None
    between_chunks: Seconds | None = None
    whole: Seconds | None = None


class Model(Section, frozen=True):
    """Without a `base_url` the rest holds for the vendor whose key is in the environment."""

    base_url: str | None = None
    protocol: Protocol | None = None
    name: str | None = None
    key: Secret | None = None
    key_env: str | None = None
    timeouts: Timeouts = Timeouts()
    retries: Annotated[int, Meta(ge=0, le=10)] = 2


class Agent(Section, frozen=True):
    """`tools` of None means all of them."""

    name: Annotated[str, Meta(min_length=1)] = "angelia"
    instructions: str = ""
    max_steps: Count | None = 50
    max_tokens: Count | None = None
    max_seconds: Seconds | None = None
    tools: tuple[str, ...] | None = None
    unknown_model: Literal["default", "reject"] = "default"

    @property
    def limits(self) -> Limits:
        return Limits(self.max_steps, self.max_tokens, self.max_seconds)


class Tools(Section, frozen=True):
    workspace: str | None = None
    sandbox: Literal["auto", "bubblewrap", "none"] = "auto"
    terminal_timeout: Annotated[float, Meta(gt=0, le=600)] = 120
    mcp_config: str | None = None


class Approvals(Section, frozen=True):
    """`ask` and `deny` hold names of tools or effect classes."""

    mode: Literal["ask", "allow", "deny"] = "ask"
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    @property
    def policy(self) -> Policy:
        """`allow` never asks; `deny` refuses what would be asked."""
        if self.mode == "ask":
            return Policy(self.ask, self.deny)
        return Policy((), self.deny if self.mode == "allow" else self.deny + self.ask)


class Chat(Section, frozen=True):
    """`tool_events` of None means by client."""

    tool_events: Literal["named", "carrier", "openwebui", "off"] | None = None
    reasoning: bool = True
    on_disconnect: Literal["cancel", "continue"] = "cancel"


class File(Section, frozen=True):
    server: Server = Server()
    model: Model = Model()
    agent: Agent = Agent()
    tools: Tools = Tools()
    approvals: Approvals = Approvals()
    chat: Chat = Chat()


# ── what comes of it ────────────────────────────────────────────────────────────────────────


class Upstream(Struct, frozen=True):
    """The model in force. `source` is the setting that brought it."""

    base_url: str
    protocol: Protocol
    model: str
    source: str
    key: Secret | None = None
    timeouts: Timeouts = Timeouts()
    retries: int = 2


class Settings(Struct, frozen=True):
    """`upstream` of None is the demo model. `api_key` is the first key, if one was chosen."""

    home: Path
    workspace: Path
    server: Server
    agent: Agent
    tools: Tools
    approvals: Approvals
    chat: Chat
    upstream: Upstream | None = None
    api_key: Secret | None = None
    mcp_config: Path | None = None

    @property
    def model_line(self) -> str:
        """Which model is in force and why, for people."""
        if self.upstream is None:
            return DEMO
        host = urlsplit(self.upstream.base_url).netloc
        return f"{self.upstream.model} at {host} ({self.upstream.source})"


class Vendor(Struct, frozen=True):
    """Where a key in the environment leads; the first protocol is the usual one."""

    variable: str
    base_url: str
    protocols: tuple[Protocol, ...]
    model: str

    def key(self, environ: Mapping[str, str]) -> Secret | None:
        return _text_secret(environ.get(self.variable))


VENDORS = (
    Vendor("OPENAI_API_KEY", "https://api.openai.com/v1", ("chat", "responses"), "gpt-5.4"),
    Vendor("ANTHROPIC_API_KEY", "https://api.anthropic.com", ("anthropic",), "claude-sonnet-4-5"),
    Vendor("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", ("chat",), "openrouter/auto"),
)

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
    folder = (home or Path(given.get("ANGELIA_HOME") or "~/.angelia")).expanduser().absolute()
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
    return settle(text, given, folder)


def settle(text: str, environ: Mapping[str, str], home: Path) -> Settings:
    """The settings that a file's text and an environment amount to. Raises ConfigError."""
    file = home / FILE
    in_file = _parse(text, file)
    given = _overlaid(text, {name: value for name, value in environ.items() if value})
    workspace = given.tools.workspace or "workspace"
    config = given.tools.mcp_config
    return Settings(
        home=home,
        workspace=home / workspace,
        server=given.server,
        agent=given.agent,
        tools=given.tools,
        approvals=given.approvals,
        chat=given.chat,
        upstream=_upstream(in_file.model, given.model, environ, file),
        api_key=_api_key(environ),
        mcp_config=None if config is None else home / config,
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it; a name other than `localhost` may be anything."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


# ── reading ─────────────────────────────────────────────────────────────────────────────────


def _parse(text: str, file: Path) -> File:
    try:
        return _convert(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}.") from error
    except ValidationError as error:
        raise ConfigError(f"{file}: {_fault(str(error))}") from error


def _overlaid(text: str, environ: Mapping[str, str]) -> File:
    """The file with the environment on top; the file by itself is known to be right."""
    document = tomllib.loads(text)
    for variable, (section, key) in VARIABLES.items():
        if variable not in environ:
            continue
        try:
            _convert({section: {key: environ[variable]}}, strict=False)
        except ValidationError as error:
            raise ConfigError(f"{variable}: {_fault(str(error))}") from error
        document.setdefault(section, {})[key] = environ[variable]
    return _convert(document, strict=False)


def _convert(document: object, *, strict: bool = True) -> File:
    return msgspec.convert(document, File, strict=strict, dec_hook=_secret)


def _secret(kind: type, value: object) -> Secret:
    if kind is Secret and isinstance(value, str):
        return Secret(value)
    raise TypeError("Expected `str`")


def _api_key(environ: Mapping[str, str]) -> Secret | None:
    key = environ.get("ANGELIA_API_KEY")
    if not key:
        return None
    if len(key) < SHORTEST_KEY:
        raise ConfigError(f"ANGELIA_API_KEY: needs at least {SHORTEST_KEY} characters.")
    return Secret(key)


# ── which model ─────────────────────────────────────────────────────────────────────────────


def _upstream(
    in_file: Model, model: Model, environ: Mapping[str, str], file: Path
) -> Upstream | None:
    """`in_file` is what the file says alone, `model` with the environment on top."""
    if model.name == DEMO:
        return None
    own_key = _own_key(model, environ, file)
    if base_url := environ.get("ANGELIA_BASE_URL"):
        # The file's protocol and key belong to the file's address.
        protocol = model.protocol if environ.get("ANGELIA_PROTOCOL") else "chat"
        key = _text_secret(environ.get("ANGELIA_UPSTREAM_KEY"))
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
        upstream = Upstream(
            vendor.base_url,
            model.protocol or vendor.protocols[0],
            model.name or vendor.model,
            vendor.variable,
            own_key or vendor.key(environ),
        )
        return _with_manners(model, upstream)
    if in_file != Model():
        raise ConfigError(f"{file}: model.base_url is missing; {_WAYS_TO_A_MODEL}.")
    for variable in ("ANGELIA_MODEL", "ANGELIA_UPSTREAM_KEY"):
        if environ.get(variable):
            raise ConfigError(f"{variable}: nothing says where the model is; {_WAYS_TO_A_MODEL}.")
    return None


def _fitting(protocol: Protocol | None) -> list[Vendor]:
    return [vendor for vendor in VENDORS if protocol is None or protocol in vendor.protocols]


_WAYS_TO_A_MODEL = f"set ANGELIA_BASE_URL or one of {', '.join(v.variable for v in VENDORS)}"


def _with_manners(model: Model, upstream: Upstream) -> Upstream:
    return msgspec.structs.replace(upstream, timeouts=model.timeouts, retries=model.retries)


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


def _text_secret(text: str | None) -> Secret | None:
    return Secret(text) if text else None


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


# ── faults ──────────────────────────────────────────────────────────────────────────────────

_AT = re.compile(r" - at `\$\.?(.*)`$")
_UNKNOWN = re.compile(r"^Object contains unknown field `(.*)`$", re.DOTALL)


def _fault(message: str) -> str:
    """What the decoder says, with the path of the key and what may stand there."""
    at = _AT.search(message)
    path = at[1] if at else ""
    said = message[: at.start()] if at else message
    if unknown := _UNKNOWN.match(said):
        return _unknown(path, unknown[1])
    if choices := _choices(path):
        return f"{path} must be one of {', '.join(choices)}"
    return f"{path}: {said.replace('`', '').replace('Expected', 'expected', 1)}"


def _unknown(path: str, name: str) -> str:
    known: tuple[str, ...] = _kind_at(path).__struct_fields__
    near: list[str] = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
    full = f"{path}.{name}" if path else name
    return f"{full!r} is not a setting; {hint}"


def _kind_at(path: str) -> Any:
    kind: Any = File
    for name in filter(None, path.partition("[")[0].split(".")):
        kind = next(field.type for field in fields(kind) if field.name == name)
    return kind


def _choices(path: str) -> tuple[str, ...]:
    """The words that a key allows, if only some words are allowed."""
    return tuple(_words(_kind_at(path)))


def _words(kind: Any) -> Iterable[str]:
    for part in get_args(kind):
        if isinstance(part, str):
            yield repr(part)
        else:
            yield from _words(part)
