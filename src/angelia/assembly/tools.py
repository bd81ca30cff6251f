"""The tools that agents have, and the places they work in."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.config import FILE, AgentSettings, ConfigError, Settings
from angelia.config.faults import near
from angelia.core.toolsets import admits
from angelia.ports import Folders, OutputStore, RunStore, Sandbox, Tool
from angelia.ports.delegation import Delegation
from angelia.runtime.delegation import Bounds
from angelia.tools import installed
from angelia.tools.background import Background
from angelia.tools.delegate import delegate
from angelia.tools.files import list_files, read_file, write_file
from angelia.tools.outputs import read_output
from angelia.tools.process import process
from angelia.tools.terminal import terminal
from angelia.tools.whereabouts import Whereabouts


def sandbox_of(settings: Settings) -> Sandbox:
    if settings.tools.sandbox == "bubblewrap":
        raise ConfigError(
            "tools.sandbox: this version runs commands without a sandbox; choose 'auto' or 'none'."
        )
    return PlainProcesses(settings.workspace)


class World(Struct, frozen=True):
    """What tools are given to work with."""

    sandbox: Sandbox
    background: Background
    folders: Folders
    outputs: OutputStore
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
    yield terminal(world.sandbox, world.background, whereabouts, seconds)
    yield process(world.background)
    yield read_file(workspace)
    yield write_file(workspace)
    yield list_files(workspace)
    yield read_output(world.outputs, world.store)
    if settings.delegation.max_depth:
        yield delegate(world.delegation, settings.delegation.max_parallel)


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
