"""MCP servers, from tables of `angelia.toml` and from the JSON file that other clients use too."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import Struct, ValidationError
from msgspec.structs import replace

from angelia.config.faults import ConfigError, said_of
from angelia.config.mcp_sections import McpServer
from angelia.config.mcp_settings import McpSettings, Transport
from angelia.config.providers import address, checked_headers
from angelia.config.secret import Secret, as_secret
from angelia.config.settings import Settings
from angelia.core.mcp_names import toolset_of
from angelia.core.policy import Rule, Verdict

SERVERS = "mcpServers"
# Where servers stand that stand in no file.
ADDED = "mcp"
_KEYS = McpServer.__struct_fields__
# Nearer than this, a key is a slip of the pen, which may leave open what was meant to be closed.
_SLIP = 0.8
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_SECRET = re.compile(r"key|token|secret|auth|cookie|pass|cred|sign|^sig$|dsn", re.IGNORECASE)


def with_tables(
    settings: Settings, tables: Mapping[str, McpServer], environ: Mapping[str, str], file: Path
) -> Settings:
    """The settings with the servers of `angelia.toml`. Raises ConfigError."""
    return _with(settings, _Place(f"{file}: mcp", settings.home, tables), environ)


def with_file(settings: Settings, environ: Mapping[str, str]) -> Settings:
    """The settings with the servers of the file that they name, if one. Raises ConfigError."""
    path = settings.mcp_config
    if path is None:
        return settings
    return _with(settings, _Place(f"{path}: {SERVERS}", path.parent, read(path)), environ)


def added_server(
    name: str, section: bytes | str, settings: Settings, environ: Mapping[str, str]
) -> McpSettings:
    """A server that stands in no file, from JSON as such a file has it. Raises ConfigError."""
    given = _entry(msgspec.json.decode(section), f'{ADDED}."{name}"')
    place = _Place(ADDED, settings.home, {})
    return place.settled(name, given, environ, settings.workspace)


def _with(settings: Settings, place: "_Place", environ: Mapping[str, str]) -> Settings:
    servers = {server.toolset: server for server in settings.mcp}
    added: list[McpSettings] = []
    for name, given in place.sections.items():
        if not given.disabled:
            server = place.settled(name, given, environ, settings.workspace)
            _refuse_double(servers, server)
            servers[server.toolset] = server
            added.append(server)
    if not added:
        return settings
    ruled = (*settings.approvals.rules, *rules_of(added, settings.approvals.irreversible))
    approvals = replace(settings.approvals, rules=ruled)
    return replace(settings, approvals=approvals, mcp=(*settings.mcp, *added))


def _refuse_double(servers: Mapping[str, McpSettings], server: McpSettings) -> None:
    if (other := servers.get(server.toolset)) is not None:
        raise ConfigError(
            f"{server.source}: its tools would be called {server.toolset}__… as those of "
            f"{other.source}; choose another name."
        )


def rules_of(servers: Iterable[McpSettings], irreversible: Verdict) -> Iterator[Rule]:
    """Behind the rules that people have written, which hold first."""
    for server in servers:
        every = f"{server.toolset}__*"
        if server.approval == "ask" or server.approval == "deny":
            said = f"approval = {server.approval!r} holds for the MCP server {server.name!r}."
            yield Rule(server.approval, tool=every, reason=said)
        elif server.approval == "auto" and irreversible != "allow":
            # To repeat it changes nothing more, but the first time does.
            changes = "It changes something at another server."
            yield Rule(irreversible, tool=every, effect="idempotent", reason=changes)


# ── the JSON file ───────────────────────────────────────────────────────────────────────────


def read(path: Path) -> dict[str, McpServer]:
    """The servers of a file as other clients have it. Raises ConfigError."""
    try:
        document = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}.") from error
    except msgspec.DecodeError as error:
        raise ConfigError(f"{path}: is not valid JSON: {error}.") from error
    servers = cast("dict[str, Any]", document).get(SERVERS) if isinstance(document, dict) else None
    if not isinstance(servers, dict):
        raise ConfigError(f'{path}: expected an object {{"{SERVERS}": {{"name": …}}}}.')
    entries = cast("dict[str, Any]", servers)
    return {name: _entry(entry, f'{path}: {SERVERS}."{name}"') for name, entry in entries.items()}


def _entry(entry: Any, where: str) -> McpServer:
    if not isinstance(entry, dict):
        raise ConfigError(f"{where}: expected an object.")
    given = cast("dict[str, Any]", entry)
    _refuse_slips(given, where)
    known = {key: value for key, value in given.items() if key in _KEYS}
    if known.get("type") in ("streamableHttp", "streamable_http"):
        known["type"] = "streamable-http"
    try:
        return msgspec.convert(known, McpServer, dec_hook=as_secret)
    except ValidationError as error:
        raise ConfigError(f"{where}.{said_of(error, McpServer)}") from error


def _refuse_slips(entry: Mapping[str, object], where: str) -> None:
    """Keys of other clients are left alone, unless they look like one of ours."""
    for key in entry:
        close = difflib.get_close_matches(key, _KEYS, n=1, cutoff=_SLIP)
        if key not in _KEYS and close:
            raise ConfigError(f"{where}.{key} is not a setting; did you mean {close[0]!r}?")


# ── one server ──────────────────────────────────────────────────────────────────────────────


class _Place(Struct, frozen=True):
    """Where servers are configured; relative folders begin at `folder`."""

    where: str
    folder: Path
    sections: Mapping[str, McpServer]

    def settled(
        self, name: str, given: McpServer, environ: Mapping[str, str], workspace: Path
    ) -> McpSettings:
        where = f'{self.where}."{name}"'
        values = _Values(environ, where)
        transport = _transport(given, where)
        env = {key: values.filled(text, f"env.{key}", key) for key, text in given.env.items()}
        headers = {
            key: values.filled(text, f"headers.{key}", "token")
            for key, text in given.headers.items()
        }
        args = tuple(
            values.filled(Secret(text), f"args[{number}]") for number, text in enumerate(given.args)
        )
        folder = self._folder(values, given, workspace)
        return McpSettings(
            name=name,
            toolset=toolset_of(name),
            source=where,
            transport=transport,
            folder=folder,
            command=values.filled(Secret(given.command or ""), "command").reveal(),
            args=args,
            env=env,
            url=values.address(given.url),
            headers=checked_headers(headers, f"{where}.headers"),
            allow=_allowed(given, where),
            deny=given.deny,
            approval=given.approval,
            timeout=given.timeout,
            network=given.network,
            secrets=tuple(dict.fromkeys(values.secrets)),
        )

    def _folder(self, values: "_Values", given: McpServer, workspace: Path) -> Path:
        if given.cwd is None:
            return workspace
        cwd = Path(values.filled(Secret(given.cwd), "cwd").reveal()).expanduser()
        return self.folder / cwd


def _transport(given: McpServer, where: str) -> Transport:
    if (given.command is None) == (given.url is None):
        ways = "exclude each other; keep one" if given.url else "are both missing; give one"
        raise ConfigError(f"{where}.command and {where}.url {ways}.")
    if given.command is not None:
        if given.type not in (None, "stdio"):
            raise ConfigError(f"{where}.type is {given.type!r}, which needs a url.")
        return "stdio"
    if given.type == "stdio":
        raise ConfigError(f"{where}.type is 'stdio', which needs a command.")
    return "sse" if given.type == "sse" else "http"


def _allowed(given: McpServer, where: str) -> tuple[str, ...] | None:
    if given.tools is not None and given.allow is not None:
        raise ConfigError(f"{where}.tools and {where}.allow are the same; keep one.")
    return given.allow if given.tools is None else given.tools


class _Values:
    """Fills in variables of the environment, and notes what is secret."""

    def __init__(self, environ: Mapping[str, str], where: str) -> None:
        self._environ = environ
        self._where = where
        self.secrets: list[Secret] = []

    def filled(self, given: Secret, field: str, key: str = "") -> Secret:
        """`key` is what it is called where it is used; a name tells what is secret."""

        def value(match: re.Match[str]) -> str:
            name, default = match[1], match[2]
            found = self._environ.get(name) or default
            if found is None:
                raise ConfigError(f"{self._where}.{field} names {name}, which is not set.")
            self._note(name, found)
            return found

        text = _VARIABLE.sub(value, given.reveal())
        self._note(key, text)
        return Secret(text)

    def address(self, given: str | None) -> Secret:
        if given is None:
            return Secret("")
        url = self.filled(Secret(given), "url").reveal()
        address(url, f"{self._where}.url")
        for key, text in parse_qsl(urlsplit(url).query):
            self._note(key, text)
        return Secret(url)

    def _note(self, name: str, text: str) -> None:
        if text.strip() and _SECRET.search(name):
            # Some repeat a token without the word before it.
            self.secrets += [Secret(text), Secret(text.split()[-1])]
