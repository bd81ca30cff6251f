"""What passes between the server and the child that reads for it."""

from typing import Literal

from msgspec import Struct

from angelia.ports.web import Form

Extractor = Literal["own", "trafilatura"]


class Task(Struct, frozen=True):
    """Stands on the first line; the bytes to read come behind it.

    `seconds` are those of the processor that it may take.
    """

    kind: Literal["html", "pdf"]
    form: Form
    url: str
    charset: str | None = None
    extractor: Extractor = "own"
    seconds: int = 1


class Reading(Struct, frozen=True):
    """`fault` says in words why there is no text."""

    text: str = ""
    note: str = ""
    fault: str = ""
