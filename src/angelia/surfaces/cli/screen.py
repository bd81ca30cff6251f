"""Pieces of text on the two output streams, with looks where the stream has them."""

import re
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

from angelia.surfaces.cli.render import Look, Piece

_CODES: dict[Look, str] = {"plain": "", "dim": "\x1b[2m", "bad": "\x1b[31m"}
_RESET = "\x1b[0m"
# What moves the cursor, changes the title or rings: sequences whole, then single characters.
_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)


def paint(text: str, look: Look) -> str:
    """The look on the words only, so that no line starts in the colour of the last one."""
    code, words = _CODES[look], text.rstrip("\n")
    return f"{code}{words}{_RESET}{text[len(words) :]}" if code and words else text


def harmless(text: str) -> str:
    """The text without anything that a terminal would obey."""
    return _CONTROL.sub("", text)


def colourful(stream: TextIO, env: Mapping[str, str]) -> bool:
    return stream.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"


class Screen:
    """Raises BrokenPipeError when nobody reads any more."""

    def __init__(
        self, env: Mapping[str, str], out: TextIO | None = None, err: TextIO | None = None
    ) -> None:
        self._streams = {"out": out or sys.stdout, "err": err or sys.stderr}
        self._env = env

    @property
    def interactive(self) -> bool:
        """Whether a person is there to be asked."""
        return sys.stdin.isatty() and self._streams["err"].isatty()

    def show(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            stream = self._streams[piece.stream]
            # A pipe gets the model's own bytes; a terminal gets what it can bear.
            text = harmless(piece.text) if stream.isatty() else piece.text
            stream.write(paint(text, piece.look) if colourful(stream, self._env) else text)
            stream.flush()

    def line(self, data: bytes) -> None:
        """One event as JSON."""
        self._streams["out"].write(f"{data.decode()}\n")
        self._streams["out"].flush()
