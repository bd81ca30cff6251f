"""A command on a real terminal, which tmux plays: what stands on the screen, and typing."""

import contextlib
import itertools
import os
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.support.following import PATIENCE
from tests.support.process import ANGELIA

_numbers = itertools.count(1)


class Tmux:
    """`code` is the exit code, once the command has ended."""

    def __init__(
        self, folder: Path, command: Sequence[str], env: Mapping[str, str], columns: int, rows: int
    ) -> None:
        self._socket = f"angelia-{os.getpid()}-{next(_numbers)}"
        self._code = folder / f"code-{next(_numbers)}"
        given = {"TERM": "xterm-256color", "LANG": "C.UTF-8", **env}
        words = ["env", "-i", *(f"{name}={value}" for name, value in given.items())]
        line = shlex.join([*words, *command])
        # The screen stays when the command has ended.
        script = f"{line}; echo $? > {shlex.quote(str(self._code))}; exec sleep 600"
        self._do(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), script
        )
        self._do("set-option", "-g", "history-limit", "5000")

    def shows(self, words: str) -> str:
        """All that the terminal has, as soon as the words are among it, however it is folded."""
        return self._until(lambda: words if words in flat(self.screen()) else "", words)

    def hides(self, words: str) -> str:
        """A screen that is being drawn lacks them as well, but not for several looks."""
        return self._until(
            lambda: "gone" if all(words not in flat(self.screen()) for _ in range(3)) else "",
            f"no {words}",
        )

    def screen(self, *options: str) -> str:
        """With all that has scrolled away."""
        return self._do("capture-pane", "-p", "-S", "-", *options)

    def type(self, text: str, *keys: str) -> None:
        if text:
            self._do("send-keys", "-l", text)
        for key in keys or ("Enter",):
            self._do("send-keys", key)

    def press(self, *keys: str) -> None:
        self._do("send-keys", *keys)

    def paste(self, text: str) -> None:
        self._do("set-buffer", text)
        self._do("paste-buffer", "-p", "-r")

    def resize(self, columns: int) -> None:
        self._do("resize-window", "-x", str(columns))

    def end(self) -> int:
        self._until(lambda: "over" if self._code.exists() else "", "its end")
        return int(self._until(self._code.read_text, "its code"))

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._do("kill-server")

    def _until(self, find: Callable[[], str], wanted: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while not (found := find()):
            assert time.monotonic() < deadline, f"never saw {wanted!r}:\n{self.screen()}"
            time.sleep(0.02)
        return self.screen() if found in (wanted, "gone") else found

    def _do(self, *words: str) -> str:
        command = ["tmux", "-L", self._socket, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def flat(text: str) -> str:
    """Without the line ends that a narrow terminal puts between words."""
    return " ".join(text.split())


@contextlib.contextmanager
def in_tmux(
    folder: Path,
    *arguments: str,
    env: Mapping[str, str],
    columns: int = 120,
    rows: int = 40,
    program: Sequence[str] = ANGELIA,
) -> Iterator[Tmux]:
    tmux = Tmux(folder, [*program, *arguments], env, columns, rows)
    try:
        yield tmux
    finally:
        tmux.close()
