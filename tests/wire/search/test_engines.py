"""Search engines: the question for each, and its answer in one form."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.found import Found
from angelia.wire.search.engines import ENGINES, EngineName, endpoint, plain

ANSWERS: dict[EngineName, object] = {
    "searxng": {
        "query": "x",
        "number_of_results": 0,
        "results": [
            {"url": "https://a.example/", "title": "A", "content": "first", "engine": "bing"},
            {"url": "https://b.example/", "title": "B", "content": None, "score": 0.5},
            {"url": "https://a.example/", "title": "A again", "content": "x"},
            {"url": "javascript:alert(1)", "title": "bad"},
            {"title": "no address"},
        ],
        "answers": [],
        "unresponsive_engines": [["google", "CAPTCHA"]],
    },
    "brave": {
        "type": "search",
        "query": {"original": "x"},
        "web": {
            "type": "search",
            "results": [
                {
                    "title": "A",
                    "url": "https://a.example/",
                    "description": "<strong>first</strong>",
                    "profile": {},
                },
                {"title": "B", "url": "https://b.example/"},
            ],
        },
    },
    "tavily": {
        "query": "x",
        "answer": None,
        "images": [],
        "results": [
            {"title": "A", "url": "https://a.example/", "content": "first", "score": 0.9},
            {"title": "B", "url": "https://b.example/", "content": "", "raw_content": None},
        ],
        "response_time": 1.2,
    },
}
FOUND = (Found("A", "https://a.example/", "first"), Found("B", "https://b.example/", ""))


@pytest.mark.parametrize("name", list(ENGINES))
def test_every_answer_takes_the_same_form(name: EngineName) -> None:
    assert ENGINES[name].read(json.encode(ANSWERS[name])) == FOUND


@pytest.mark.parametrize("name", list(ENGINES))
def test_nothing_found_is_no_fault(name: EngineName) -> None:
    assert ENGINES[name].read(b"{}") == ()


@pytest.mark.parametrize("name", list(ENGINES))
@given(data=st.binary() | st.recursive(st.none() | st.text(), st.lists).map(json.encode))
def test_what_is_no_answer_is_a_value_error(name: EngineName, data: bytes) -> None:
    found: tuple[Found, ...] = ()
    with contextlib.suppress(ValueError):
        found = ENGINES[name].read(data)
    assert found == ()


def test_each_engine_is_asked_in_its_way() -> None:
    searxng = ENGINES["searxng"].ask("a b", 3, "")
    assert (searxng.method, dict(searxng.query)) == ("GET", {"q": "a b", "format": "json"})
    assert searxng.headers == ()
    brave = ENGINES["brave"].ask("a b", 3, "key")
    assert dict(brave.query) == {"q": "a b", "count": "3", "text_decorations": "false"}
    assert dict(brave.headers) == {"X-Subscription-Token": "key"}
    tavily = ENGINES["tavily"].ask("a b", 3, "key")
    assert dict(tavily.headers)["Authorization"] == "Bearer key"
    assert json.decode(tavily.body or b"") == {
        "query": "a b",
        "max_results": 3,
        "search_depth": "basic",
    }


@pytest.mark.parametrize(
    ("name", "given_url", "url"),
    [
        ("searxng", None, None),
        ("searxng", "http://box:8888", "http://box:8888/search"),
        ("searxng", "http://box/searx/", "http://box/searx/search"),
        ("searxng", "http://box/search", "http://box/search"),
        ("brave", None, "https://api.search.brave.com/res/v1/web/search"),
        ("tavily", None, "https://api.tavily.com/search"),
        ("tavily", "http://mirror/x", "http://mirror/x"),
    ],
)
def test_where_an_engine_is_asked(name: EngineName, given_url: str | None, url: str | None) -> None:
    assert endpoint(name, given_url) == url


def test_marks_around_words_are_taken_out() -> None:
    assert plain(" a <strong>b</strong>\n&amp;  c < d ") == "a b & c < d"
