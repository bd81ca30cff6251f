"""One line of what the doctor finds."""

from typing import Literal

from msgspec import Struct

Level = Literal["ok", "note", "broken"]


class Check(Struct, frozen=True):
    """`advice` is the way out, where there is something to do."""

    part: str
    level: Level
    found: str
    advice: str = ""
