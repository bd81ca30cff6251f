"""Types that cannot be told as types: alternatives that do not share a tag, and lists of them."""

from msgspec import Struct


class OneOf(Struct, frozen=True):
    """A value of one of these types; with a name it is a schema of its own."""

    types: tuple[object, ...]
    name: str | None = None


class ListOf(Struct, frozen=True):
    of: object
    least: int | None = None
    most: int | None = None
