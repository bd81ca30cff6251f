"""A command at a terminal of its own: what it shows, and what a person types."""

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping


class Terminal:
    """`shown` is everything that has appeared."""

    def __init__(self, arguments: list[str], env: Mapping[str, str], columns: int = 80) -> None:
        self._mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "angelia", *arguments],
            env=dict(env),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            # The terminal has to be the one that a question for a secret opens.
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self.shown = ""

    def answer(self, question: str, answer: str) -> None:
        """Waits for the question behind everything that was answered, then types a line."""
        begun = len(self.shown)
        while question not in self.shown[begun:]:
            if not self._read():
                raise AssertionError(f"{question!r} was never asked:\n{self.shown}")
        os.write(self._mine, f"{answer}\n".encode())

    def end(self) -> int:
        while self._read():
            pass
        return self._process.wait(timeout=30)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._mine)

    def _read(self) -> bool:
        # A terminal that nobody writes to any more is an error to read from.
        with contextlib.suppress(OSError):
            text = os.read(self._mine, 65536).decode(errors="replace")
            self.shown += text
            return bool(text)
        return False


@contextlib.contextmanager
def at_terminal(*arguments: str, env: Mapping[str, str], columns: int = 80) -> Iterator[Terminal]:
    terminal = Terminal(list(arguments), env, columns)
    try:
        yield terminal
    finally:
        terminal.close()
