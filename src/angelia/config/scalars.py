"""What a single setting may hold, and what every section is."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Protocol = Literal["chat", "responses", "anthropic"]
KeyOrder = Literal["round_robin", "fill_first", "least_used"]
ThinkTags = Literal["auto", "open", "off"]
# The bound keeps infinity out: nobody can count up to it. It is some thirty years.
Seconds = Annotated[float, Meta(gt=0, le=1_000_000_000)]
Count = Annotated[int, Meta(ge=1)]
Retries = Annotated[int, Meta(ge=0, le=10)]
# 0 is never.
Faults = Annotated[int, Meta(ge=0)]
Money = Annotated[float, Meta(gt=0)]
# The bound keeps infinity out: a cost has to be a number that can be added up.
Rate = Annotated[float, Meta(ge=0, le=1_000_000)]
HeaderName = Annotated[str, Meta(pattern="^[A-Za-z0-9-]+$")]
OnDisconnect = Literal["cancel", "continue"]


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    pass
