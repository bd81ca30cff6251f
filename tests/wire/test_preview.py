"""What people see of a tool call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.wire.preview import beginning, shown_arguments


@given(st.text(), st.integers(4, 50))
def test_a_beginning_fits_its_limit_and_is_cut_only_when_it_must(text: str, limit: int) -> None:
    shown, cut = beginning(text, limit)
    assert text.startswith(shown)
    assert len(shown.encode()) <= limit
    assert cut == (len(text.encode()) > limit) == (shown != text)
    if cut:
        assert len(shown.encode()) > limit - 4


def test_arguments_are_shown_as_json_on_one_line() -> None:
    assert json.encode(shown_arguments('{"a":\n [1,  2.50]}')) == b'{"a":[1,2.5]}'


@pytest.mark.parametrize("text", ['{"a":', "ls -la", "", "[" * 100_000, '"\\ud800"'])
def test_arguments_that_are_not_json_are_shown_as_text(text: str) -> None:
    assert shown_arguments(text) == text


def encode_below(frames: int, value: object) -> bytes:
    return encode_below(frames - 1, value) if frames else json.encode(value)


def test_arguments_of_any_depth_can_be_encoded_from_any_depth() -> None:
    for depth in range(100, 1200, 7):
        encode_below(60, {"input": shown_arguments("[" * depth + "]" * depth)})
