"""The tools that agents have, and the places they work in."""

import shutil
from collections.abc import Iterator, Sequence

from msgspec import Struct

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.ripgrep_search import RipgrepSearch
from angelia.adapters.walking_search import WalkingSearch
from angelia.config import FILE, AgentSettings, ConfigError, Settings
from angelia.config.faults import near
from angelia.core.toolsets import admits
from angelia.ports import ChangeJournal, FileSearch, Folders, OutputStore, RunStore, Sandbox, Tool
from angelia.ports.delegation import Delegation
from angelia.runtime.delegation import Bounds
from angelia.tools import files, installed
from angelia.tools.background import Background
from angelia.tools.delegate import delegate
from angelia.tools.outputs import read_output
from angelia.tools.process import process
from angelia.tools.terminal import terminal
from angelia.tools.watched import Watched
from angelia.tools.whereabouts import Whereabouts


class World(Struct, frozen=True):
    """What tools are given to work with."""

    sandbox: Sandbox
    background: Background
    folders: Folders
    outputs: OutputStore
    journal: ChangeJournal
    store: RunStore
    delegation: Delegation


def tools_of(settings: Settings, world: World, more: Sequence[Tool] = ()) -> tuple[Tool, ...]:
    """Those that any of the agents has."""
    every = (*_own(settings, world), *more, *installed())
    known = {name: None for tool in every for name in (tool.spec.name, tool.toolset)}
    _refuse_unknown(settings, list(known))
    return tuple(t for t in every if any(_has(agent, t) for agent in settings.agents))


def _own(settings: Settings, world: World) -> Iterator[Tool]:
    workspace = LocalWorkspace(settings.workspace)
    whereabouts = Whereabouts(world.folders, workspace)
    seconds = settings.tools.terminal_timeout
    commands = terminal(world.sandbox, world.background, whereabouts, seconds)
    yield Watched(commands, world.journal)
    yield process(world.background)
    yield from files(workspace, world.journal, _search(settings, world.sandbox))
    yield read_output(world.outputs, world.store)
    if settings.delegation.max_depth:
        yield delegate(world.delegation, settings.delegation.max_parallel)


def _search(settings: Settings, sandbox: Sandbox) -> FileSearch:
    """Ripgrep where there is one: in the sandbox as commands are, if there is a real one."""
    walking = WalkingSearch(settings.workspace)
    if shutil.which("rg") is None:
        return walking
    return RipgrepSearch(sandbox, LocalWorkspace(settings.workspace), walking)


def bounds_of(settings: Settings) -> Bounds:
    given = settings.delegation
    return Bounds(given.max_depth, given.limits, given.approvals == "wait", given.model)


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
