"""Conversations as OpenAI's clients know them: made, changed, listed, deleted."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, json

from angelia.errors import BadRequest
from angelia.wire import fields
from angelia.wire.responses import items_in
from angelia.wire.responses.items_in import Piece
from angelia.wire.responses.reading import checked_metadata
from angelia.wire.responses.request_shapes import Metadata

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


class DeletedOut(Struct, frozen=True):
    id: str
    object: Literal["conversation.deleted", "response"]
    deleted: bool


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
    return NewConversation(_new_items(given.items or []), _metadata(given.metadata))


def parse_update(body: bytes) -> Raw | UnsetType:
    """The metadata that takes the place of all there was; UNSET is none."""
    return _metadata(fields.decode(body, _update).metadata)


def parse_items(body: bytes) -> NewItems:
    return _new_items(fields.decode(body, _items).items)


def conversation(conversation_id: str, created_at: float, metadata: Raw) -> bytes:
    return json.encode(ConversationOut(conversation_id, "conversation", int(created_at), metadata))


def deleted_conversation(conversation_id: str) -> bytes:
    return json.encode(DeletedOut(conversation_id, "conversation.deleted", deleted=True))


def deleted_response(response_id: str) -> bytes:
    return json.encode(DeletedOut(response_id, "response", deleted=True))


def _new_items(given: list[Raw]) -> NewItems:
    if len(given) > MOST_ITEMS:
        raise BadRequest(
            f"Invalid value for 'items': at most {MOST_ITEMS} can be added at a time.",
            param="items",
            code="invalid_value",
        )
    pieces = items_in.read(given, "items")
    return NewItems(pieces, items_in.references(pieces))


def _metadata(given: dict[str, str] | None) -> Raw | UnsetType:
    return UNSET if given is None else Raw(json.encode(checked_metadata(given)))
