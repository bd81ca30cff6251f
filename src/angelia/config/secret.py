"""Text that is never shown by accident."""


class Secret:
    """Text that shows itself only to whoever asks for it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.reveal() == self._text

    def __hash__(self) -> int:
        return hash(self._text)


def as_secret(kind: type, value: object) -> object:
    """How the decoder makes one; what may be anything stays what it is."""
    if kind is object:
        return value
    if kind is Secret and isinstance(value, str):
        return Secret(value)
    raise TypeError("Expected `str`")
