"""The text of one model call after another, as blocks that stand on the screen for good.

A call that is asked again says its text again. What stands already is not shown twice if it comes
out the same; else a line says that it is void.
"""

from angelia.surfaces.cli.chat.blocks import Block, Prose, Remark
from angelia.surfaces.cli.chat.markdown import Blocks


class Answer:
    def __init__(self) -> None:
        self._blocks = Blocks()
        self._streamed = False
        self._shown: list[str] = []
        self._void: list[str] = []
        self._reason = ""

    @property
    def unfinished(self) -> str:
        return self._blocks.unfinished

    def feed(self, text: str) -> list[Block]:
        self._streamed = self._streamed or bool(text)
        return self._settle(self._blocks.feed(text))

    def pause(self) -> list[Block]:
        """Something else follows on the screen before the text goes on."""
        return self._settle(self._blocks.close())

    def close(self, whole: str) -> list[Block]:
        """The call is over; `whole` is its text, for those who have not seen it come."""
        unseen = "" if self._streamed else whole
        blocks = self._settle(self._blocks.feed(unseen)) + self._settle(self._blocks.close())
        blocks += self._disown() if self._void else []
        self._begin()
        return blocks

    def void(self, reason: str) -> None:
        """What was streamed is void, and is asked again."""
        # What came again so far is the same as what stands there.
        void = self._void or self._shown
        self._begin()
        self._void, self._reason = void, reason

    def _begin(self) -> None:
        self._blocks = Blocks()
        self._streamed = False
        self._shown = []
        self._void = []

    def _settle(self, blocks: list[str]) -> list[Block]:
        self._shown += blocks
        if not self._void:
            return [Prose(block) for block in blocks]
        both = min(len(self._void), len(self._shown))
        if self._shown[:both] != self._void[:both]:
            return self._disown()
        if both < len(self._void):
            return []
        self._void = []
        return [Prose(block) for block in self._shown[both:]]

    def _disown(self) -> list[Block]:
        self._void = []
        goes_on = " and begins again" if self._shown else ""
        line = Remark(f"– the answer above was cut off ({self._reason}){goes_on} –")
        return [line, *(Prose(block) for block in self._shown)]
