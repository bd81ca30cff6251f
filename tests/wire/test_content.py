"""The content of messages, whichever protocol its parts are written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.messages import Image, Text, UserPart
from angelia.errors import BadRequest
from angelia.wire.content import PartIn, TextPartIn, part, parts, text, unknown_call

URL = "https://example.com/a.png"
_decoder: json.Decoder[str | list[PartIn]] = json.Decoder(str | list[PartIn])


def read(content: object) -> tuple[UserPart, ...]:
    return parts(_decoder.decode(json.encode(content)), "messages[2].content", part)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"type": "text", "text": "a"}, Text("a")),
        ({"type": "input_text", "text": "a"}, Text("a")),
        ({"type": "output_text", "text": "a"}, Text("a")),
        ({"type": "image_url", "image_url": URL}, Image(URL)),
        ({"type": "image_url", "image_url": {"url": URL}}, Image(URL)),
        ({"type": "image_url", "image_url": {"url": URL, "detail": "low"}}, Image(URL, "low")),
        ({"type": "input_image", "image_url": URL}, Image(URL)),
        ({"type": "input_image", "image_url": URL, "detail": "low"}, Image(URL, "low")),
    ],
)
def test_a_part_means_the_same_in_every_spelling(written: dict, meant: UserPart) -> None:
    assert read([written]) == (meant,)


def test_a_text_is_the_only_part_of_its_message() -> None:
    assert read("hello") == (Text("hello"),)
    assert read([]) == ()


@pytest.mark.parametrize(
    ("written", "param"),
    [
        ({"type": "image_url", "image_url": "ftp://x"}, "messages[2].content[1].image_url"),
        (
            {"type": "image_url", "image_url": {"url": "file:///x"}},
            "messages[2].content[1].image_url.url",
        ),
        ({"type": "input_image", "image_url": "x"}, "messages[2].content[1].image_url"),
    ],
)
def test_an_image_that_is_no_address_is_named_by_its_path(written: dict, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read([{"type": "text", "text": "look"}, written])
    assert (caught.value.param, caught.value.code) == (param, "invalid_image_url")


@given(st.lists(st.tuples(st.sampled_from(["text", "input_text", "output_text"]), st.text())))
def test_texts_are_lines_of_one_text(written: list[tuple[str, str]]) -> None:
    content = json.encode([{"type": kind, "text": words} for kind, words in written])
    parts = json.decode(content, type=list[TextPartIn])
    assert text(parts) == "\n".join(words for _, words in written)


def test_no_content_is_no_text() -> None:
    assert text(None) == ""
    assert text("as it is") == "as it is"


def test_a_result_without_a_call_is_named_with_the_beginning_of_its_id() -> None:
    fault = unknown_call("c" * 1000, "messages[4]")
    assert (fault.param, fault.code) == ("messages[4].tool_call_id", "invalid_value")
    assert "c" * 100 in fault.message
    assert "c" * 101 not in fault.message
