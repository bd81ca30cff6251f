"""What of this machine commands see: the flags that bubblewrap is given."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from angelia.adapters.bubblewrap.limits import Limits

USER = 1000
# Of /etc only what programs need to run. Neither the keys below /etc/ssl and /etc/pki nor what
# only root may read: as root, commands still have root's number, though none of its rights.
ETC_FILES = (
    *("debian_version", "gai.conf", "host.conf", "inputrc", "ld.so.cache", "ld.so.conf"),
    *("ld-musl-x86_64.path", "ld-musl-aarch64.path", "locale.alias", "locale.conf", "localtime"),
    *("lsb-release", "magic", "mime.types", "nsswitch.conf", "os-release", "pki/tls/cert.pem"),
    *("protocols", "rpc", "services", "shells", "ssl/cert.pem", "ssl/openssl.cnf", "timezone"),
)
ETC_FOLDERS = (
    *("alternatives", "fonts", "java", "perl", "pki/ca-trust", "pki/tls/certs", "ssl/certs"),
    "terminfo",
)
SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SHARED_MEMORY = "/dev/shm"  # noqa: S108 -- the sandbox's own
TEMPORARY = "/tmp"  # noqa: S108 -- the sandbox's own


class Place(Struct, frozen=True):
    """`readable` are folders beside the system's own that commands may look into.

    `shut` is what of /proc would be writable for root's number without any of its rights.
    """

    workspace: Path
    home: Path
    readable: tuple[Path, ...] = ()
    shut: tuple[Path, ...] = ()

    @property
    def etc(self) -> Path:
        """What commands see as /etc."""
        return self.home / "sandbox" / "etc"

    @property
    def common(self) -> Path:
        """Where a session's temporary files are mounted, out of everybody's sight."""
        return self.home / "sandbox" / "tmp"


def namespaces(*, own_network: bool, disable: bool) -> list[str]:
    flags = ["--unshare-user", "--uid", str(USER), "--gid", str(USER)]
    flags += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    flags += ["--hostname", "sandbox", "--cap-drop", "ALL"]
    flags += ["--new-session", "--die-with-parent"]
    if own_network:
        flags.append("--unshare-net")
    if disable:
        flags.append("--disable-userns")
    return flags


def mounts(place: Place, limits: Limits, *, own_temporary: bool) -> list[str]:
    """In this order: what comes later lies on top."""
    flags = [*_system()]
    flags += ["--ro-bind", str(place.etc), "/etc"]
    flags += _etc()
    flags += _proc(place)
    flags += ["--dev", "/dev", "--size", str(limits.temporary), "--perms", "1777"]
    flags += ["--tmpfs", SHARED_MEMORY, "--remount-ro", "/dev"]
    if own_temporary:
        flags += ["--size", str(limits.temporary), "--perms", "1777", "--tmpfs", TEMPORARY]
    else:
        flags += ["--bind", str(place.common), TEMPORARY]
    flags += [*_programs(place), *_home(place), *_workspace(place)]
    return [*flags, "--remount-ro", "/"]


def programs() -> Iterator[Path]:
    """The Python that runs us, and Node, where they are not with the system's own programs."""
    node = shutil.which("node")
    found = [Path(sys.base_prefix), *([Path(node).resolve().parent.parent] if node else [])]
    yield from (folder for each in found if not _is_private(folder := each.resolve()))


def _is_private(folder: Path) -> bool:
    """Whether it holds what is somebody's own: of ~/bin/node the folder above is their home."""
    home = Path.home()
    return home.is_relative_to(folder) or folder == home / ".local"


def path_of(given: str) -> str:
    """The search path, with programs that lie elsewhere at its end."""
    known = given.split(os.pathsep)
    more = [str(folder / "bin") for folder in programs() if not _of_system(folder)]
    return os.pathsep.join([*known, *(folder for folder in more if folder not in known)])


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in SYSTEM:
        folder = Path(name)
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), name)
        elif folder.is_dir():
            yield from ("--ro-bind", name, name)
    yield from ("--ro-bind-try", "/nix/store", "/nix/store")


def _programs(place: Place) -> Iterator[str]:
    for folder in dict.fromkeys((*programs(), *place.readable)):
        if not _of_system(folder):
            yield from ("--ro-bind-try", str(folder), str(folder))


def _of_system(folder: Path) -> bool:
    return any(folder.is_relative_to(root) for root in ("/usr", *SYSTEM))


def _etc() -> Iterator[str]:
    for name in ETC_FOLDERS:
        folder = Path("/etc") / name
        if folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))


def _proc(place: Place) -> Iterator[str]:
    yield from ("--proc", "/proc")
    for path in place.shut:
        source = path if path.is_dir() else Path(os.devnull)
        yield from ("--ro-bind", str(source), str(path))


def _home(place: Place) -> Iterable[str]:
    """Nothing of the home folder is seen, wherever it lies."""
    shown = (Path("/usr"), *programs(), *place.readable)
    if any(place.home.is_relative_to(folder) for folder in shown):
        return ("--tmpfs", str(place.home))
    return ()


def _workspace(place: Place) -> Iterator[str]:
    yield from ("--bind", str(place.workspace), str(place.workspace))
    if place.home.is_relative_to(place.workspace):
        yield from ("--tmpfs", str(place.home), "--remount-ro", str(place.home))
