"""Whether bubblewrap does on this machine what is asked of it."""

import platform
import shutil
import subprocess
import sys

from msgspec import Struct

from angelia.adapters.bubblewrap.syscalls import MACHINES, Machine

PATIENCE = 10.0
NEEDED = ("bwrap", "nsenter", "bash", "setsid")


class Means(Struct, frozen=True):
    """What there is to work with; `disables`: namespaces within can be forbidden by a flag."""

    bwrap: str
    machine: Machine
    disables: bool


def means() -> Means | str:
    """In words what is missing, if something is."""
    if sys.platform != "linux":
        return f"there is no sandbox for {platform.system()}"
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return "bubblewrap is not installed (there is no bwrap in the search path)"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        return f"the sandbox needs {', '.join(missing)}, which is not in the search path"
    machine = MACHINES.get(platform.machine())
    if machine is None:
        return f"there is no filter of system calls for {platform.machine()}"
    known = _said([bwrap, "--help"])
    if "--size" not in known:
        return "bubblewrap is older than 0.7; the sandbox needs a newer one"
    return Means(bwrap, machine, "--disable-userns" in known)


def complaint(arguments: list[str], fds: tuple[int, ...]) -> str | None:
    """Runs something that ends at once; what it complains of, if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 -- our own
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=fds,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run here: {error}"
    if done.returncode == 0:
        return None
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return f"bubblewrap does not work here ({said[-1] if said else done.returncode})"


def _said(arguments: list[str]) -> str:
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode(errors="replace")
