"""The web: pages that are read, and searches that find them."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from angelia.core.found import Found

Form = Literal["markdown", "text", "raw"]


class Document(Struct, frozen=True):
    """What was found at an address in the end.

    `kind` is its media type, `text` the readable form of it, `note` what is missing from that in
    our own words. `moved_to` is the address on another host to which the server points instead.
    """

    url: str
    status: int
    kind: str
    text: str
    note: str = ""
    moved_to: str | None = None


class WebPages(Protocol):
    async def fetch(self, url: str, form: Form) -> Document:
        """Raises ToolError for what cannot be asked, reached or read."""
        ...

    async def close(self) -> None: ...


class WebSearch(Protocol):
    @property
    def host(self) -> str:
        """Who is asked."""
        ...

    async def search(self, query: str, count: int) -> Sequence[Found]:
        """At most `count`, best first. Raises ToolError."""
        ...

    async def close(self) -> None: ...
