"""Pieces of tool calls, and the provider's own fields on the way in and out."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, json

from angelia.wire.chat.calls import Calls, merge_extras
from angelia.wire.draft import Draft

VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.dictionaries(
    st.text(min_size=1).filter(
        lambda name: name not in ("index", "id", "type", "function", "name", "arguments")
    ),
    VALUES,
    max_size=3,
)


@given(FIELDS, FIELDS)
def test_fields_of_the_provider_go_back_where_they_were_found(fields: dict, inside: dict) -> None:
    sent = {
        "id": "a",
        "type": "function",
        "function": {"name": "f", "arguments": "{}", **inside},
        **fields,
    }
    draft = Draft()
    Calls(draft).take(Raw(json.encode([{"index": 0, **sent}])))
    (call,) = draft.reply().message.calls
    function: dict[str, object] = {"name": call.name, "arguments": call.arguments}
    back: dict[str, object] = {"id": call.id, "type": "function", "function": function}
    if call.extras is not None:
        merge_extras(back, function, call.extras.data)
    assert json.decode(json.encode(back)) == sent


def test_numbers_of_the_provider_keep_their_spelling() -> None:
    draft = Draft()
    Calls(draft).take(Raw(b'[{"index":0,"id":"a","function":{"name":"f"},"score":1.50}]'))
    extras = draft.reply().message.calls[0].extras
    assert extras is not None
    assert extras.data == '{"score":1.50}'


@given(st.lists(st.text('ab{}":1', max_size=4), min_size=1))
def test_arguments_are_the_texts_of_their_pieces(pieces: list[str]) -> None:
    draft = Draft()
    calls = Calls(draft)
    for piece in pieces:
        entry = [{"index": 0, "id": "a", "function": {"name": "f", "arguments": piece}}]
        calls.take(Raw(json.encode(entry)))
    assert draft.slots[0].arguments == ("".join(pieces) or "{}")
