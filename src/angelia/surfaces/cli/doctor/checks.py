"""Whether this installation is in order: one line for each part, with what to do about it."""

import asyncio
import contextlib
import os
import stat
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from angelia.config import FILE, ConfigError, Settings, is_loopback
from angelia.config.running import KEY_FILE
from angelia.surfaces.cli.doctor.check import Check
from angelia.surfaces.cli.doctor.mcp import Look, mcp_checks
from angelia.surfaces.cli.doctor.served import Answer, Server
from angelia.wire.discovery import Readiness, Skills

PATIENCE = 5.0
# The level, and why no command can run.
Probe = Callable[[Settings], Awaitable[tuple[str, str]]]
_SANDBOX_WAYS = (
    "install bubblewrap (apt-get install bubblewrap) and allow user namespaces, "
    'or choose sandbox = "none" under [tools] of angelia.toml'
)
_PORTS = {"http": 80, "https": 443}


class Probes(msgspec.Struct, frozen=True):
    """What tries out the sandbox and the MCP servers that a server would have."""

    sandbox: Probe
    mcp: Look


async def examine(settings: Settings | ConfigError, home: Path, probes: Probes) -> list[Check]:
    if isinstance(settings, ConfigError):
        # Nothing else can be known: where the server is, is a setting too.
        return [_home(home), Check("settings", "broken", str(settings), "correct it there")]
    server = Server(settings)
    answer = await server.get("/health/ready")
    return [
        _home(home),
        _settings(home),
        _key(settings),
        await _server(server, answer),
        _console(),
        await _model(settings),
        await _sandbox(settings, answer, probes.sandbox),
        *await _skills(server),
        *await mcp_checks(server, probes.mcp),
    ]


def _home(home: Path) -> Check:
    if not home.exists():
        nearest = next(parent for parent in home.parents if parent.exists())
        if os.access(nearest, os.W_OK):
            return Check("home", "note", f"{home} is not there", "the first start makes it")
        return Check("home", "broken", f"{home} cannot be made", f"make {nearest} writable")
    if not home.is_dir():
        return Check("home", "broken", f"{home} is not a folder", "choose another ANGELIA_HOME")
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        return Check("home", "broken", f"{home} is not writable", "give yourself the rights to it")
    return Check("home", "ok", str(home))


def _settings(home: Path) -> Check:
    file = home / FILE
    return Check("settings", "ok", str(file) if file.exists() else f"as they come; no {file}")


def _key(settings: Settings) -> Check:
    file = settings.home / KEY_FILE
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
        filled = bool(file.read_text().strip())
    except FileNotFoundError:
        return _missing_key(settings)
    except OSError as error:
        return Check("key", "broken", f"{file}: {error.strerror}", "make it readable for you")
    if not filled:
        return Check("key", "broken", f"{file} is empty", "delete it; the next start makes one")
    if mode & 0o077:
        return Check("key", "broken", f"others may read {file}", f"chmod 600 {file}")
    return Check("key", "ok", f"in {file}")


def _missing_key(settings: Settings) -> Check:
    if settings.api_key is None and not is_loopback(settings.server.host):
        advice = "set ANGELIA_API_KEY, or start once on 127.0.0.1"
        return Check("key", "broken", f"none, and {settings.server.host} is open to others", advice)
    return Check("key", "note", "none yet", "the first start makes one")


async def _server(server: Server, answer: Answer | None) -> Check:
    if answer is None:
        return await _silent(server)
    try:
        ready = msgspec.json.decode(answer.body, type=Readiness)
    except msgspec.MsgspecError:
        found = f"something else answers at {server.url}"
        return Check("server", "broken", found, "choose another port with ANGELIA_PORT")
    if not ready.checks.fine:
        return Check("server", "broken", f"{server.url} is not ready", _unready(ready))
    refused = await server.get("/v1/models")
    if refused is None or refused.status == 401:
        advice = f"{server.settings.home} may not be its home; set ANGELIA_HOME"
        return Check("server", "broken", f"{server.url} does not know the key", advice)
    return Check("server", "ok", f"ready at {server.url}")


def _console() -> Check:
    """The page is a part of the package, whatever server runs."""
    page = resources.files("angelia") / "surfaces" / "console" / "static" / "index.html"
    if page.is_file():
        return Check("console", "ok", "built")
    return Check("console", "note", "the page at / is not built", "make console, which needs Node")


async def _silent(server: Server) -> Check:
    parts = urlsplit(server.url)
    if await _connects(parts.hostname or "", parts.port or 0):
        found = f"something at {server.url} does not answer"
        return Check("server", "broken", found, "choose another port with ANGELIA_PORT")
    return Check("server", "note", f"nobody listens at {server.url}", "start it: angelia serve")


def _unready(ready: Readiness) -> str:
    parts = {"store": ready.checks.store.ok, "runs": ready.checks.engine.ok}
    parts["disk"] = ready.checks.disk.ok
    return f"look at its log; in trouble: {', '.join(n for n, fine in parts.items() if not fine)}"


async def _model(settings: Settings) -> Check:
    if not settings.chain:
        return Check("model", "note", "the demo model answers", "choose one: angelia setup")
    chosen = settings.chain[0]
    parts = urlsplit(chosen.provider.base_url)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    if not await _connects(host, port):
        found = f"{settings.model_line}: nobody answers at {host}:{port}"
        return Check("model", "broken", found, f"check the address in {chosen.source}")
    return Check("model", "ok", settings.model_line)


async def _sandbox(settings: Settings, answer: Answer | None, probe: Probe) -> Check:
    """What the server says of itself, else what it would do."""
    said = _said_of_sandbox(answer)
    level, reason = said if said is not None else await probe(settings)
    asked = settings.tools.sandbox
    if level == "unavailable":
        return Check("sandbox", "broken", f"no command can run: {reason}", _SANDBOX_WAYS)
    if level == "none":
        advice = "tools have the rights of the server; give them a workspace of their own"
        return Check("sandbox", "note", f"none ({asked}): plain processes", advice)
    return Check("sandbox", "ok", f"{level} ({asked})")


async def _skills(server: Server) -> list[Check]:
    """Nothing, if no server tells or there are none."""
    answer = await server.get("/v1/skills")
    if answer is None or answer.status != 200:
        return []
    try:
        known = msgspec.json.decode(answer.body, type=Skills)
    except msgspec.MsgspecError:
        return []
    if known.problems:
        told = "; ".join(f"{one.folder} ({one.source}): {one.reason}" for one in known.problems)
        return [Check("skills", "note", f"left out: {told}", "correct them; the log says more")]
    return [Check("skills", "ok", f"{len(known.data)} to load")] if known.data else []


def _said_of_sandbox(answer: Answer | None) -> tuple[str, str] | None:
    if answer is None:
        return None
    try:
        found = msgspec.json.decode(answer.body, type=Readiness).checks.sandbox
    except msgspec.MsgspecError:
        return None
    return found.level, found.reason or ""


async def _connects(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    # Whoever is there may hang up first; somebody is there all the same.
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True
