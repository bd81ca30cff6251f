"""Reasoning details in pieces become what they would have been in one answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, json

from angelia.wire.chat.details import merge_details, read_details


def merged(*pieces: dict) -> list[dict]:
    return json.decode(json.encode(merge_details(read_details(Raw(json.encode(pieces))))))


@given(st.lists(st.text(), min_size=1))
def test_texts_of_one_detail_are_joined(texts: list[str]) -> None:
    pieces = [{"type": "reasoning.summary", "summary": text, "index": 0} for text in texts]
    whole = {"type": "reasoning.summary", "summary": "".join(texts), "index": 0}
    assert merged(*pieces) == [whole]


def test_a_signature_that_comes_last_and_alone_joins_its_text() -> None:
    text = {"type": "reasoning.text", "text": "a", "index": 0, "signature": None}
    signed = {"type": "reasoning.text", "index": 0, "signature": "s"}
    whole = {"type": "reasoning.text", "text": "a", "index": 0, "signature": "s"}
    assert merged(text, signed) == [whole]


@pytest.mark.parametrize(
    "pieces",
    [
        (
            {"type": "reasoning.text", "text": "a", "index": 0},
            {"type": "reasoning.text", "index": 1},
        ),
        (
            {"type": "reasoning.encrypted", "data": "x"},
            {"type": "reasoning.encrypted", "data": "y"},
        ),
        ({"type": "novel", "text": "a"}, {"type": "novel", "text": "b"}),
        ({"type": "reasoning.text", "text": 7}, {"type": "reasoning.text", "text": "b"}),
        ({}, {}),
    ],
)
def test_whatever_does_not_belong_together_stays_apart(pieces: tuple[dict, ...]) -> None:
    assert merged(*pieces) == list(pieces)


@pytest.mark.parametrize("noise", [b"null", b"3", b'{"a":1}', b"[1]", b"[" * 100_000])
def test_what_is_no_list_of_details_is_skipped(noise: bytes) -> None:
    assert read_details(Raw(noise)) == []
