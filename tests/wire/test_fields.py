"""Strict reading: whatever a client sends, the answer is a value or a 400 that names the field."""

import contextlib
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Raw, Struct, json

from angelia.errors import BadRequest
from angelia.wire import fields


class Part(Struct, tag_field="type", tag="text"):
    text: str


class Picture(Struct, tag_field="type", tag="image"):
    url: str


class Item(Struct):
    content: str | list[Part | Picture]


class Body(Struct):
    items: list[Item]
    size: Annotated[int, Meta(ge=1)] | None = None
    mode: Literal["a", "b"] = "a"
    raw: Raw = Raw(b"")


DECODER = json.Decoder(Body)


@pytest.mark.parametrize(
    ("body", "param", "code", "message"),
    [
        (b"", None, "invalid_json", "not valid JSON"),
        (b"{", None, "invalid_json", "not valid JSON"),
        (b'{"items":[]} {}', None, "invalid_json", "not valid JSON"),
        (b'{"items":[],"x":"\xff"}', None, "invalid_json", "not valid UTF-8 (byte 17)"),
        (b'{"items":[],"raw":"\xff"}', None, "invalid_json", "not valid UTF-8"),
        (b"[]", None, "invalid_type", "expected an object, got an array"),
        (b'"text"', None, "invalid_type", "expected an object, got a string"),
        (b"null", None, "invalid_type", "expected an object, got null"),
        (b"{}", "items", "missing_required_parameter", "'items'"),
        (b'{"items":3}', "items", "invalid_type", "expected an array, got an integer"),
        (b'{"items":[{}]}', "items[0].content", "missing_required_parameter", "[0].content"),
        (b'{"items":[{"content":"a"},4]}', "items[1]", "invalid_type", "got an integer"),
        (b'{"items":[{"content":4}]}', "items[0].content", "invalid_type", "a string or an array"),
        (
            b'{"items":[{"content":[{"type":"x"}]}]}',
            "items[0].content[0].type",
            "invalid_value",
            "'x' is not an accepted value",
        ),
        (
            b'{"items":[{"content":[{"type":"text","text":1}]}]}',
            "items[0].content[0].text",
            "invalid_type",
            "expected a string, got an integer",
        ),
        (b'{"items":[],"size":0}', "size", "invalid_value", "expected an integer >= 1"),
        (b'{"items":[],"size":true}', "size", "invalid_type", "got a boolean"),
        (b'{"items":[],"size":NaN}', None, "invalid_json", "not valid JSON"),
        (b'{"items":[],"size":1e999}', "size", "invalid_value", "out of range"),
        (b'{"items":[],"size":' + b"9" * 5000 + b"}", "size", "invalid_value", "out of range"),
        (b'{"items":[],"mode":"c"}', "mode", "invalid_value", "'c' is not an accepted value"),
        (b'{"items":[],"x":"\\ud800 lone"}', None, "invalid_json", "not valid JSON"),
        (b'{"items":[{"content":"\\udc00"}]}', None, "invalid_json", "not valid JSON"),
        (b'{"items":[],"x":' + b"[" * 100_000, None, "invalid_json", "nested too deeply"),
    ],
)
def test_a_wrong_body_is_told_where_it_is_wrong(
    body: bytes, param: str | None, code: str, message: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        fields.decode(body, DECODER)
    assert (caught.value.param, caught.value.code) == (param, code)
    assert message in caught.value.message


def test_a_right_body_is_read_and_unknown_fields_are_ignored() -> None:
    body = b'{"items":[{"content":[{"type":"text","text":"a"}]}],"new":{"x":1},"size":2}'
    read = fields.decode(body, DECODER)
    assert read.items == [Item([Part("a")])]
    assert read.size == 2


@given(
    st.binary()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.just("items"),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["items", "content"]), inner)
        ),
    ).map(json.encode)
)
def test_any_body_is_read_or_refused(body: bytes) -> None:
    with contextlib.suppress(BadRequest):
        assert isinstance(fields.decode(body, DECODER), Body)


def test_an_error_does_not_repeat_a_giant_value() -> None:
    with pytest.raises(BadRequest) as caught:
        fields.decode(b'{"items":[],"mode":"' + b"x" * 100_000 + b'"}', DECODER)
    assert len(caught.value.message) < 500


def test_a_json_object_is_kept_verbatim_and_lives_on_its_own() -> None:
    body = b'{"a" : 1.50}'
    kept = fields.json_object(Raw(body), "metadata")
    assert bytes(kept) == body


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"[1]", "expected an object, got an array"),
        (b'"x"', "got a string"),
        (b'{"a":1e999}', "out of range"),
        (b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_object_is_refused_by_its_name(value: bytes, message: str) -> None:
    with pytest.raises(BadRequest, match="metadata") as caught:
        fields.json_object(Raw(value), "metadata")
    assert message in caught.value.message
    assert caught.value.param is not None
    assert caught.value.param.startswith("metadata")


@pytest.mark.parametrize(
    "url", ["http://a/b.png", "https://a/b.png", "HTTPS://a", "data:image/png;base64,AA=="]
)
def test_images_come_from_the_web_or_inline(url: str) -> None:
    assert fields.image_url(url, "x") == url


@pytest.mark.parametrize(
    "url", ["", "ftp://a", "file:///etc/passwd", "/etc/passwd", "data:text/html,x", "http:/a"]
)
def test_images_from_elsewhere_are_refused(url: str) -> None:
    with pytest.raises(BadRequest, match="input\\[0\\]") as caught:
        fields.image_url(url, "input[0].image_url")
    assert caught.value.param == "input[0].image_url"


class Deep(Struct):
    inner: "Deep | None" = None
    number: int = 0


DEEP = json.Decoder(Deep)


def test_a_fault_inside_a_body_is_named_from_the_root_on() -> None:
    with pytest.raises(BadRequest) as caught:
        fields.decode_at(b'{"inner":{"number":"x"}}', DEEP, "items[3]")
    assert caught.value.param == "items[3].inner.number"


def test_what_is_nested_too_deeply_inside_a_body_is_refused() -> None:
    depth = 100_000
    with pytest.raises(BadRequest, match="too deeply") as caught:
        fields.decode_at(b'{"inner":' * depth + b"null" + b"}" * depth, DEEP, "items[3]")
    assert caught.value.param == "items[3]"


def test_nothing_and_null_are_absent() -> None:
    assert fields.is_absent(fields.ABSENT)
    assert fields.is_absent(Raw(b"null"))
    assert not fields.is_absent(Raw(b"{}"))
    assert fields.optional_object(Raw(b"null"), "p") is UNSET
    assert fields.optional_object(Raw(b'{"a":1}'), "p") == Raw(b'{"a":1}')


@pytest.mark.parametrize("text", ["a", "!~", "a/b", "x" * 256])
def test_a_session_is_named_by_visible_characters(text: str) -> None:
    assert fields.session_id(text, "session_id") == text


@pytest.mark.parametrize("text", ["search", "a/messages", "a/turns", "/fork", "a/b/export"])
def test_a_session_is_not_named_as_a_route(text: str) -> None:
    with pytest.raises(BadRequest, match="which are routes") as caught:
        fields.session_id(text, "session_id")
    assert (caught.value.param, caught.value.code) == ("session_id", "invalid_value")
    assert fields.name(text, "X-Hermes-Session-Key") == text


@pytest.mark.parametrize("text", ["", "a b", "a\n", "a\r\nX: y", "é", "\x7f", "x" * 257])
def test_what_cannot_be_a_header_is_no_name_of_a_session(text: str) -> None:
    with pytest.raises(BadRequest, match="visible ASCII characters") as caught:
        fields.session_id(text, "conversation.id")
    assert (caught.value.param, caught.value.code) == ("conversation.id", "invalid_value")
