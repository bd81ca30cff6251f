"""What a model writes as text, sorted into answer, thought and calls."""

from collections.abc import Iterable, Iterator

from angelia.core.events import ReasoningDelta, TextDelta
from angelia.wire.written.manner import Manner
from angelia.wire.written.tags import Piece, Splitter
from angelia.wire.written.text_calls import TextCalls, Written

Sifted = TextDelta | ReasoningDelta | Written


class Sieve:
    """Of no use any more once it is `plain`: then all the rest is answer."""

    def __init__(self, manner: Manner) -> None:
        tagged = manner.think_tags != "off"
        self._tags = Splitter(opened=manner.think_tags == "open") if tagged else None
        self._calls = TextCalls(manner.tools) if manner.text_calls and manner.tools else None

    @property
    def plain(self) -> bool:
        return self._calls is None and (self._tags is None or self._tags.plain)

    def feed(self, text: str) -> list[Sifted]:
        if self._tags is None or self._tags.plain:
            return list(self._read((TextDelta(text),)))
        return list(self._read(self._tags.feed(text)))

    def expect_tag(self) -> None:
        if self._tags is not None:
            self._tags.expect_tag()

    def close(self, *, clean: bool) -> list[Sifted]:
        """The rest; `clean` if the model itself has ended its answer."""
        pieces: list[Sifted] = []
        if self._tags is not None:
            pieces += self._read(self._tags.close(clean=clean))
        if self._calls is not None:
            pieces += self._calls.close(clean=clean)
        return pieces

    def _read(self, pieces: Iterable[Piece]) -> Iterator[Sifted]:
        for piece in pieces:
            if self._calls is not None and isinstance(piece, TextDelta):
                yield from self._calls.feed(piece.text)
            else:
                yield piece
