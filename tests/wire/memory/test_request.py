import pytest
from msgspec import UNSET

from angelia.core.notes import Note
from angelia.errors import BadRequest
from angelia.wire.memory.request import parse_add, parse_change
from angelia.wire.memory.server import shown


def test_a_note_needs_nothing_but_its_text() -> None:
    asked = parse_add(b'{"text": "x", "more": 1}')
    assert (asked.text, asked.kind, asked.user) == ("x", "note", None)


def test_a_change_leaves_what_it_does_not_name() -> None:
    assert parse_change(b"{}").text is UNSET
    assert parse_change(b'{"kind": "user"}').kind == "user"


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{}", "text"),
        (b'{"text": ""}', "text"),
        (b'{"text": 7}', "text"),
        (b'{"text": "' + b"x" * 2001 + b'"}', "text"),
        (b'{"text": "x", "kind": "other"}', "kind"),
        (b'{"text": "x", "user": ""}', "user"),
    ],
)
def test_what_is_wrong_is_named(body: bytes, param: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_add(body)
    assert refused.value.param == param


def test_a_note_is_shown_with_all_but_its_tenant() -> None:
    note = Note("note_1", "key_1", "x", 1.0, 2.0, "user", "ann", "work", "run_1")
    out = shown(note)
    assert (out.id, out.text, out.kind, out.user) == ("note_1", "x", "user", "ann")
    assert (out.session_key, out.run_id, out.created_at, out.updated_at) == (
        "work",
        "run_1",
        1.0,
        2.0,
    )
