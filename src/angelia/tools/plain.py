"""What a program wrote for a screen, as somebody reads it who has none."""

import re

_ESCAPES = re.compile(
    r"\x1b(?:"
    r"\[[0-?]*[ -/]*[@-~]"  # moves, colours, modes
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles and links
    r"|[PX^_][^\x1b]*(?:\x1b\\)?"  # strings for the terminal alone
    r"|[ -/]*[0-~]"  # all others have two characters or a few more
    r")"
)
_REWRITTEN = re.compile(r"[^\n]*\r(?=[^\r\n])")


def plain(text: str) -> str:
    """Without escape sequences; of a line that was written over and over, what stood there last."""
    text = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\x07", "")
    return _REWRITTEN.sub("", text).replace("\r", "")
