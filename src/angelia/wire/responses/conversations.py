"""Conversations as OpenAI's clients know them: made, changed, listed, deleted."""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct, UnsetType, json

from angelia.wire import fields
from angelia.wire.responses import items_in, metadata
from angelia.wire.responses.items_in import Piece
from angelia.wire.responses.metadata import Metadata
from angelia.wire.responses.response_shapes import DeletedOut

MOST_ITEMS = 20


class CreateConversationIn(Struct):
    items: list[Raw] | None = None
    metadata: Metadata | None = None


class UpdateConversationIn(Struct):
    metadata: Metadata | None


class CreateItemsIn(Struct):
    items: Annotated[list[Raw], Meta(min_length=1)]


class ConversationOut(Struct, frozen=True):
    id: str
    object: Literal["conversation"]
    created_at: int
    metadata: Raw


class NewItems(Struct, frozen=True):
    """`references` are the ids that `items_in.assemble` has to be told of."""

    pieces: tuple[Piece, ...]
    references: tuple[str, ...]


class NewConversation(Struct, frozen=True):
    items: NewItems
    metadata: Raw | UnsetType


_create = json.Decoder(CreateConversationIn)
_update = json.Decoder(UpdateConversationIn)
_items = json.Decoder(CreateItemsIn)


def parse_create(body: bytes) -> NewConversation:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body or b"{}", _create)
    return NewConversation(_new_items(given.items or []), metadata.read(given.metadata))


def parse_update(body: bytes) -> Raw | UnsetType:
    """The metadata that takes the place of all there was; UNSET is none."""
    return metadata.read(fields.decode(body, _update).metadata)


def parse_items(body: bytes) -> NewItems:
    return _new_items(fields.decode(body, _items).items)


def conversation(conversation_id: str, created_at: float, kept: Raw) -> bytes:
    """`kept` is its metadata."""
    return json.encode(ConversationOut(conversation_id, "conversation", int(created_at), kept))


def deleted_conversation(conversation_id: str) -> bytes:
    return json.encode(DeletedOut(conversation_id, "conversation.deleted", deleted=True))


def _new_items(given: list[Raw]) -> NewItems:
    if len(given) > MOST_ITEMS:
        raise fields.refused("items", f"at most {MOST_ITEMS} can be added at a time")
    pieces = items_in.read(given, "items")
    return NewItems(pieces, items_in.references(pieces))
