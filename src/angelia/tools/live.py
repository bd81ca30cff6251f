"""What is shown of output while it comes: the beginning of it, then a word that it goes on."""

from angelia.ports import Stream, ToolContext
from angelia.tools.transcript import split_whole

LIVE_LIMIT = 256 * 1024
LIVE_END = "\n[live output stops here; the command goes on]\n"


class Live:
    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._room = LIVE_LIMIT

    async def show(self, whole: bytes, stream: Stream = "stdout") -> None:
        """`whole` ends between two characters."""
        if self._room <= 0 or not whole:
            return
        shown, rest = (whole, b"") if len(whole) <= self._room else split_whole(whole[: self._room])
        over = len(shown) < len(whole) or bool(rest)
        self._room = 0 if over else self._room - len(shown)
        text = shown.decode(errors="replace")
        await self._context.show(text + LIVE_END if over else text, stream)
