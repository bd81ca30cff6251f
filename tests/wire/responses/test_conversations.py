"""Conversations as the openai package knows them."""

import pytest
from msgspec import UNSET, Raw, json
from openai.types.conversations import Conversation, ConversationDeletedResource

from angelia.core.messages import user
from angelia.errors import BadRequest
from angelia.wire.responses.conversations import (
    conversation,
    deleted_conversation,
    parse_create,
    parse_items,
    parse_update,
)

ITEM = {"role": "user", "content": "hi"}


def test_a_conversation_is_what_the_openai_package_reads() -> None:
    got = Conversation.model_validate_json(
        conversation("conv_1", 3.7, Raw(b'{"a":"b"}')), strict=True
    )
    assert (got.id, got.created_at, got.metadata) == ("conv_1", 3, {"a": "b"})
    gone = ConversationDeletedResource.model_validate_json(
        deleted_conversation("conv_1"), strict=True
    )
    assert gone.deleted


@pytest.mark.parametrize("body", [b"", b"{}", b'{"items":null,"metadata":null}'])
def test_a_conversation_can_be_made_of_nothing(body: bytes) -> None:
    made = parse_create(body)
    assert (made.items.pieces, made.items.references, made.metadata) == ((), (), UNSET)


def test_a_conversation_begins_with_items_and_metadata() -> None:
    referred = {"type": "item_reference", "id": "msg_1_o2"}
    made = parse_create(json.encode({"items": [ITEM, referred], "metadata": {"a": "b"}}))
    assert made.items.pieces[0] == user("hi")
    assert made.items.references == ("msg_1_o2",)
    assert made.metadata == Raw(b'{"a":"b"}')


def test_metadata_is_changed_as_a_whole() -> None:
    assert parse_update(b'{"metadata":{"a":"b"}}') == Raw(b'{"a":"b"}')
    assert parse_update(b'{"metadata":null}') is UNSET


def test_as_many_items_as_allowed_are_added() -> None:
    assert len(parse_items(json.encode({"items": [ITEM] * 20})).pieces) == 20


@pytest.mark.parametrize(
    ("parse", "body", "param"),
    [
        (parse_create, {"items": [ITEM] * 21}, "items"),
        (parse_create, {"items": [{"role": "x"}]}, "items[0].role"),
        (parse_create, {"metadata": {"k" * 65: ""}}, "metadata"),
        (parse_items, {"items": [ITEM] * 21}, "items"),
        (parse_items, {"items": []}, "items"),
        (parse_items, {}, "items"),
        (parse_update, {}, "metadata"),
        (parse_update, {"metadata": 1}, "metadata"),
    ],
)
def test_what_cannot_be_done_is_refused_by_its_path(parse, body, param) -> None:
    with pytest.raises(BadRequest) as caught:
        parse(json.encode(body))
    assert caught.value.param == param
