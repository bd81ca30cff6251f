"""What a search of the web finds."""

from msgspec import Struct


class Found(Struct, frozen=True):
    """One answer to a search, in the words of strangers."""

    title: str
    url: str
    snippet: str
