"""Tells thought from answer in a text, by the tags that local models write around their thoughts.

A block of thought counts where the answer begins with it, so that an answer that speaks about
tags is left alone. White space around a tag belongs to the tag.
"""

from angelia.core.events import ReasoningDelta, TextDelta
from angelia.wire.written.marks import Marks

TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "[THINK]": "[/THINK]",
    "<seed:think>": "</seed:think>",
    "◁think▷": "◁/think▷",
    "<|channel>thought": "<channel|>",
    "<|channel|>analysis<|message|>": "<|end|><|start|>assistant<|channel|>final<|message|>",
}
_OPENING = Marks(*TAGS)
_CLOSING = {opening: Marks(closing) for opening, closing in TAGS.items()}
_ANY_CLOSING = Marks(*TAGS.values())
# Whoever begins with more white space than this writes no tag behind it.
_MOST_BLANK = 512

Piece = TextDelta | ReasoningDelta


class Splitter:
    """Pieces of text in, answer and thought out. Once it is `plain`, all that follows is answer.

    With `opened` the text begins inside a block.
    """

    def __init__(self, *, opened: bool = False) -> None:
        self.plain = False
        self._opened = opened
        self._held = ""
        self._closing: Marks | None = None
        self._after_tag = False
        # What was thought in a block whose opening nobody saw, until its closing tag is seen.
        self._unopened: list[str] | None = [] if opened else None

    def feed(self, text: str) -> list[Piece]:
        if self.plain:
            return [TextDelta(text)]
        self._held += text
        pieces: list[Piece] = []
        while self._advance(pieces):
            pass
        return pieces

    def expect_tag(self) -> None:
        """The provider tells thoughts apart itself, so the text does not begin inside one."""
        self._opened = False

    def close(self, *, clean: bool) -> list[Piece]:
        """The rest. A text that never left the block it was to begin in is an answer too.

        That is, if the model came to its end: then it did not think, and has to be heard.
        """
        pieces: list[Piece] = []
        if self._held and self._closing is not None:
            self._think(self._held, pieces)
        elif held := self._held.lstrip() if self._after_tag else self._held:
            pieces.append(TextDelta(held))
        if clean and self._unopened:
            pieces.append(TextDelta("".join(self._unopened)))
        self._held, self.plain = "", True
        return pieces

    def _advance(self, pieces: list[Piece]) -> bool:
        """One step. False when it takes more text to go on."""
        if self.plain:
            return False
        if self._closing is None:
            return self._begin(pieces)
        return self._go_on(self._closing, pieces)

    def _begin(self, pieces: list[Piece]) -> bool:
        start = self._held.lstrip()
        patient = len(self._held) - len(start) <= _MOST_BLANK
        if patient and (tag := _OPENING.at_start(start)):
            self._enter(_CLOSING[tag[0]], start[tag.end() :])
            self._unopened = None
        elif patient and (not start or _OPENING.may_start(start)):
            return False
        elif self._opened:
            self._enter(_ANY_CLOSING, start)
        else:
            if text := start if self._after_tag else self._held:
                pieces.append(TextDelta(text))
            self._held, self.plain = "", True
        return True

    def _enter(self, closing: Marks, rest: str) -> None:
        self._closing, self._held = closing, rest
        self._opened, self._after_tag = False, True

    def _go_on(self, closing: Marks, pieces: list[Piece]) -> bool:
        held = self._held.lstrip() if self._after_tag else self._held
        tag = closing.find(held)
        end = tag.start() if tag else closing.settled(held)
        if end:
            self._think(held[:end], pieces)
        self._held = held[tag.end() :] if tag else held[end:]
        if tag:
            self._closing, self._after_tag, self._unopened = None, True, None
        return tag is not None

    def _think(self, text: str, pieces: list[Piece]) -> None:
        self._after_tag = False
        if self._unopened is not None:
            self._unopened.append(text)
        pieces.append(ReasoningDelta(text))
