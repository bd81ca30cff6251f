"""Disks that fill up: a small file system of its own under a folder, with a ballast in it."""

import contextlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BLOCK = 64 * 1024


class Disk:
    """`path` is where programs that `enter` find it, `root` where the test does."""

    def __init__(self, path: Path, root: Path, enter: tuple[str, ...]) -> None:
        self.path = path
        self.root = root
        self.enter = enter

    @property
    def _ballast(self) -> Path:
        return self.root / "ballast"

    def fill(self) -> None:
        """Not a byte is left."""
        with self._ballast.open("ab", buffering=0) as file, contextlib.suppress(OSError):
            for size in (BLOCK, 1):
                with contextlib.suppress(OSError):
                    while file.write(b"\0" * size):
                        pass

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def make_read_only(self) -> None:
        """While nobody has a file open there."""
        command = [*self.enter, "mount", "-o", "remount,ro", str(self.path)]
        subprocess.run(command, check=True)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Disk]:
    """Mounted here by root; by anybody else in a namespace, which programs have to enter."""
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        try:
            yield Disk(folder, folder, ())
        finally:
            # Whoever still has a file open there keeps it for as long.
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        return
    with _namespace(mount) as pid:
        enter = ("nsenter", "-t", str(pid), "-U", "-m", "--preserve-credentials")
        yield Disk(folder, Path(f"/proc/{pid}/root{folder}"), enter)


@contextmanager
def _namespace(mount: list[str]) -> Iterator[int]:
    """The id of a process that sees the mount, and does nothing but be there."""
    script = '"$@" && echo mounted && exec sleep infinity'
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", *mount]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"mounted\n", "no file system can be mounted here"
            yield holder.pid
        finally:
            holder.kill()


def make_unwritable(file: Path) -> bool:
    """Whether nobody can write to it any more, not even who has it open."""
    subprocess.run(["chattr", "+i", str(file)], capture_output=True, check=False)
    try:
        file.open("r+b").close()
    except PermissionError:
        return True
    return False


def make_writable(file: Path) -> None:
    subprocess.run(["chattr", "-i", str(file)], check=True)
