"""Items page by page."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Raw, Struct, json

from angelia.wire import fields
from angelia.wire.responses.items_out import id_of

LARGEST_PAGE = 100

Order = Literal["asc", "desc"]


class Page(Struct, frozen=True):
    """`after` is the id of the last item of the page before."""

    limit: int = 20
    order: Order = "desc"
    after: str | None = None


class ItemListOut(Struct, frozen=True):
    object: Literal["list"]
    data: tuple[Raw, ...]
    first_id: str | None
    last_id: str | None
    has_more: bool


def page(*, limit: str | None, order: str | None, after: str | None) -> Page:
    """From the words of a query. Raises BadRequest, which names the word that is wrong."""
    return Page(_limit(limit), _order(order), after or None)


def _limit(word: str | None) -> int:
    if word is None:
        return Page().limit
    # More digits than that is no page size, and some strings of digits are no decimal number.
    if word.isascii() and word.isdigit() and len(word) <= 4 and 1 <= int(word) <= LARGEST_PAGE:
        return int(word)
    raise fields.refused("limit", f"an integer from 1 to {LARGEST_PAGE}")


def _order(word: str | None) -> Order:
    if word is None or word == "desc":
        return "desc"
    if word == "asc":
        return "asc"
    raise fields.refused("order", "'asc' or 'desc'")


def listed(items: Sequence[Raw], wanted: Page) -> bytes:
    """A page of `items`, which stand oldest first. Raises BadRequest for an unknown `after`."""
    ordered = list(items) if wanted.order == "asc" else list(reversed(items))
    start = 0 if wanted.after is None else _behind(ordered, wanted.after)
    data = tuple(ordered[start : start + wanted.limit])
    return json.encode(whole(data, has_more=start + wanted.limit < len(ordered)))


def whole(data: Sequence[Raw], *, has_more: bool = False) -> ItemListOut:
    first, last = (id_of(data[0]), id_of(data[-1])) if data else (None, None)
    return ItemListOut("list", tuple(data), first, last, has_more)


def _behind(items: list[Raw], after: str) -> int:
    for index, item in enumerate(items):
        if id_of(item) == after:
            return index + 1
    raise fields.refused("after", f"there is no item {after[:64]!r} in this list")
