"""The items of a response while they come about: opened in order, each closed on its own."""

from typing import Protocol

from msgspec import Raw, Struct, json

from angelia.wire.responses.ids import output_id
from angelia.wire.responses.output.frames import Tape
from angelia.wire.responses.response_shapes import ItemOut

_encode = json.Encoder().encode


class Item(Protocol):
    def shown(self) -> Raw:
        """As it is now; once it is closed, as it was closed."""
        ...


class Closed(Struct, frozen=True):
    """An item that comes whole."""

    item: Raw

    def shown(self) -> Raw:
        return self.item


class Place(Struct, frozen=True):
    """Where an item stands. `fields` begins every event about its inside."""

    index: int
    id: str

    @property
    def fields(self) -> bytes:
        return b'"item_id":%b,"output_index":%d,' % (_encode(self.id), self.index)


class Output:
    """All items of one response. What is told of them goes to `tape`."""

    def __init__(self, response_id: str, tape: Tape) -> None:
        self.tape = tape
        self._response_id = response_id
        self._items: list[Item] = []
        self._seq = 0
        self._opened = 0

    def at(self, seq: int) -> None:
        """Items opened from here on are named after this entry."""
        if seq != self._seq:
            self._seq, self._opened = seq, 0

    def place(self, kind: str) -> Place:
        """The next place, for an item whose id begins with `kind`."""
        item_id = output_id(kind, self._response_id, self._seq, self._opened)
        self._opened += 1
        return Place(len(self._items), item_id)

    def added(self, place: Place, item: Item, first: ItemOut) -> None:
        self._items.append(item)
        self._tell("response.output_item.added", place, _encode(first))

    def done(self, place: Place, last: ItemOut) -> Raw:
        """The item as it is from here on."""
        item = _encode(last)
        self._tell("response.output_item.done", place, item)
        return Raw(item)

    def _tell(self, event: str, place: Place, item: bytes) -> None:
        self.tape.add(event, b'"output_index":%d,"item":%b' % (place.index, item))

    def shown(self) -> tuple[Raw, ...]:
        return tuple(item.shown() for item in self._items)
