"""Where commands run, by what is configured and what this machine can do."""

import tempfile
from pathlib import Path

from msgspec.structs import replace

from angelia.adapters import bubblewrap
from angelia.adapters.no_sandbox import NoSandbox
from angelia.adapters.processes import PlainProcesses
from angelia.assembly.memory import HOME_SKILLS
from angelia.config import Settings
from angelia.ports import Sandbox


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
        readable=_readable(settings),
    )
    fault = sandbox.fault()
    return NoSandbox(fault) if fault else sandbox


async def sandbox_found(settings: Settings) -> tuple[str, str]:
    """The level that a server would have, and why no command could run; nothing is left of it."""
    if settings.tools.sandbox == "none":
        return PlainProcesses.level, PlainProcesses.reason
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = replace(settings, home=Path(folder), workspace=Path(folder) / "workspace")
        sandbox = sandbox_of(elsewhere)
        await sandbox.close()
        return sandbox.level, sandbox.reason


def _readable(settings: Settings) -> list[Path]:
    """What the operator names, and the skills of the home folder, which may bring programs."""
    named = [Path(folder).expanduser() for folder in settings.tools.readable]
    return [*named, settings.home / HOME_SKILLS]


def _limits(settings: Settings) -> bubblewrap.Limits:
    given = settings.tools
    return bubblewrap.Limits(
        given.memory_limit * bubblewrap.MIB,
        given.process_limit,
        given.disk_limit * bubblewrap.MIB,
    )
