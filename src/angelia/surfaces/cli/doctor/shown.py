"""What a client shows of one answer, piece by piece in the order of its appearance."""

from msgspec import Struct
from msgspec.structs import replace

RUNNING = "running"


class Said(Struct, frozen=True, tag="text"):
    text: str


class Thought(Struct, frozen=True, tag="reasoning"):
    text: str


class Card(Struct, frozen=True, tag="tool"):
    """A tool of the server. `states` are all that the card went through."""

    title: str
    states: tuple[str, ...]

    @property
    def ended(self) -> bool:
        return self.states[-1:] != (RUNNING,)


class Errand(Struct, frozen=True, tag="to_execute"):
    """A tool that the client is told to execute itself."""

    tool: str
    arguments: str


class Trouble(Struct, frozen=True, tag="error"):
    message: str


Piece = Said | Thought | Card | Errand | Trouble


class Tokens(Struct, frozen=True):
    input: int
    output: int

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.input + other.input, self.output + other.output)


class Shown(Struct, frozen=True):
    """`remarks` are what the client does with the answer that its reader should know."""

    pieces: tuple[Piece, ...]
    tokens: Tokens | None = None
    finish: str | None = None
    remarks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Said))

    @property
    def reasoning(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Thought))

    @property
    def cards(self) -> list[Card]:
        return [piece for piece in self.pieces if isinstance(piece, Card)]

    @property
    def errands(self) -> list[Errand]:
        return [piece for piece in self.pieces if isinstance(piece, Errand)]

    @property
    def troubles(self) -> list[Trouble]:
        return [piece for piece in self.pieces if isinstance(piece, Trouble)]


class Canvas:
    """What is being shown, while a client reads."""

    def __init__(self) -> None:
        self.tokens: Tokens | None = None
        self.finish: str | None = None
        self._pieces: list[Piece] = []
        self._cards: dict[str, int] = {}
        self._errands: dict[int, int] = {}
        self._remarks: list[str] = []

    def say(self, text: str) -> None:
        last = self._pieces[-1] if self._pieces else None
        if isinstance(last, Said):
            self._pieces[-1] = Said(last.text + text)
        elif text:
            self._pieces.append(Said(text))

    def think(self, text: str) -> None:
        last = self._pieces[-1] if self._pieces else None
        if isinstance(last, Thought):
            self._pieces[-1] = Thought(last.text + text)
        elif text:
            self._pieces.append(Thought(text))

    def think_above(self, text: str) -> None:
        """Adds to the reasoning that stands above the first text."""
        first = next(i for i, piece in enumerate(self._pieces) if isinstance(piece, Said))
        above = [i for i in range(first) if isinstance(self._pieces[i], Thought)]
        if above:
            self._pieces[above[-1]] = Thought(_text(self._pieces[above[-1]]) + text)
            return
        self._pieces.insert(first, Thought(text))
        self._cards = {key: _moved(at, first) for key, at in self._cards.items()}
        self._errands = {key: _moved(at, first) for key, at in self._errands.items()}

    def card(self, key: str, title: str, state: str) -> None:
        """A state of the card under this key, which is drawn with its first."""
        at = self._cards.get(key)
        if at is None:
            self._cards[key] = len(self._pieces)
            self._pieces.append(Card(title, (state,)))
            return
        drawn = self._pieces[at]
        if isinstance(drawn, Card):
            self._pieces[at] = replace(drawn, states=(*drawn.states, state))

    def errand(self, index: int, tool: str, arguments: str) -> None:
        """A piece of the call at this index."""
        at = self._errands.get(index)
        if at is None:
            self._errands[index] = len(self._pieces)
            self._pieces.append(Errand(tool, arguments))
            return
        known = self._pieces[at]
        if isinstance(known, Errand):
            self._pieces[at] = Errand(tool or known.tool, known.arguments + arguments)

    def trouble(self, message: str) -> None:
        self._pieces.append(Trouble(message))

    def remark(self, text: str) -> None:
        if text not in self._remarks:
            self._remarks.append(text)

    @property
    def has_text(self) -> bool:
        return any(isinstance(piece, Said) for piece in self._pieces)

    def shown(self) -> Shown:
        return Shown(tuple(self._pieces), self.tokens, self.finish, tuple(self._remarks))


def _text(piece: Piece) -> str:
    return piece.text if isinstance(piece, Said | Thought) else ""


def _moved(at: int, behind: int) -> int:
    return at + 1 if at >= behind else at
