"""The tools that agents have, and the places they work in."""

import shutil
from collections.abc import Sequence

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.adapters.ripgrep_search import RipgrepSearch
from angelia.adapters.walking_search import WalkingSearch
from angelia.config import FILE, AgentSettings, ConfigError, Settings
from angelia.config.faults import near
from angelia.core.toolsets import admits
from angelia.ports import ChangeJournal, FileSearch, Sandbox, Tool
from angelia.tools import builtin, installed


def sandbox_of(settings: Settings) -> Sandbox:
    if settings.tools.sandbox == "bubblewrap":
        raise ConfigError(
            "tools.sandbox: this version runs commands without a sandbox; choose 'auto' or 'none'."
        )
    return PlainProcesses(settings.workspace)


def search_of(settings: Settings, sandbox: Sandbox) -> FileSearch:
    """Ripgrep where there is one: in the sandbox as commands are, if there is a real one."""
    walking = WalkingSearch(settings.workspace)
    if shutil.which("rg") is None:
        return walking
    return RipgrepSearch(sandbox, LocalWorkspace(settings.workspace), walking)


def tools_of(settings: Settings, sandbox: Sandbox, journal: ChangeJournal) -> tuple[Tool, ...]:
    """Those that any of the agents has."""
    own = builtin(
        sandbox,
        LocalWorkspace(settings.workspace),
        journal,
        search_of(settings, sandbox),
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
