"""The tools that agents have, and the places they work in."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from angelia.adapters import bubblewrap
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.no_sandbox import NoSandbox
from angelia.adapters.processes import PlainProcesses
from angelia.config import FILE, AgentSettings, ConfigError, Settings
from angelia.config.faults import near
from angelia.core.toolsets import admits
from angelia.ports import Sandbox, Tool
from angelia.tools import builtin, installed


def sandbox_of(settings: Settings, egress: Path | None = None) -> Sandbox:
    """For the one process that works in the home folder. `egress` is the socket of a proxy."""
    if settings.tools.sandbox == "none":
        return PlainProcesses(settings.workspace, home=settings.home)
    means = bubblewrap.means()
    if isinstance(means, str):
        return NoSandbox(means)
    sandbox = bubblewrap.Bubblewrap(
        settings.workspace,
        settings.home,
        means=means,
        limits=_limits(settings),
        egress=egress,
        readable=[Path(folder).expanduser() for folder in settings.tools.readable],
    )
    fault = sandbox.fault()
    return NoSandbox(fault) if fault else sandbox


async def sandbox_found(settings: Settings) -> tuple[str, str]:
    """The level that a server would have, and why no command could run; nothing is left of it."""
    if settings.tools.sandbox == "none":
        return PlainProcesses.level, PlainProcesses.reason
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = msgspec.structs.replace(
            settings, home=Path(folder), workspace=Path(folder) / "workspace"
        )
        sandbox = sandbox_of(elsewhere)
        await sandbox.close()
        return sandbox.level, sandbox.reason


def _limits(settings: Settings) -> bubblewrap.Limits:
    given = settings.tools
    return bubblewrap.Limits(
        given.memory_limit * bubblewrap.MIB,
        given.process_limit,
        given.disk_limit * bubblewrap.MIB,
    )


def tools_of(settings: Settings, sandbox: Sandbox) -> tuple[Tool, ...]:
    """Those that any of the agents has."""
    own = builtin(
        sandbox,
        LocalWorkspace(settings.workspace),
        terminal_timeout=settings.tools.terminal_timeout,
    )
    every = (*own, *installed())
    known = {name: None for tool in every for name in (tool.spec.name, tool.toolset)}
    _refuse_unknown(settings, list(known))
    return tuple(t for t in every if any(_has(agent, t) for agent in settings.agents))


def _refuse_unknown(settings: Settings, known: Sequence[str]) -> None:
    """An agent that lacks a tool by a slip of the pen would go unnoticed."""
    for number, agent in enumerate(settings.agents):
        path = f'agents."{agent.name}".tools' if number else "agent.tools"
        for name in agent.tools or ():
            # What has a `*` may be meant for tools that are not there yet.
            if name not in known and "*" not in name and not name.startswith("mcp"):
                raise ConfigError(
                    f"{settings.home / FILE}: {path}: there is no tool {name!r}; "
                    f"{near(name, known)}"
                )


def _has(agent: AgentSettings, tool: Tool) -> bool:
    return admits(agent.tools, tool.spec.name, tool.toolset)
