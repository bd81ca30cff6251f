"""The web as an operator opens it."""

import pytest

from angelia.config import Secret
from tests.config.settling import AT, fault, settled


def test_without_a_word_nothing_private_is_open_and_nothing_is_searched() -> None:
    web = settled().web
    assert (web.allow_private, web.search, web.search_key) == (False, None, None)
    assert settled().tools.network == ()


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("true", True),
        ("false", False),
        ('["wiki.corp", "10.0.0.0/8"]', ("wiki.corp", "10.0.0.0/8")),
    ],
)
def test_private_places_are_opened_all_or_one_by_one(value: str, meant: object) -> None:
    assert settled(f"[web]\nallow_private = {value}").web.allow_private == meant


@pytest.mark.parametrize(
    ("text", "environ"),
    [
        ('[web]\nsearch = "brave"\nsearch_key = "k"', {}),
        ('[web]\nsearch = "brave"\nsearch_key_env = "BRAVE"', {"BRAVE": "k"}),
    ],
)
def test_the_key_is_there_wherever_it_came_from(text: str, environ: dict[str, str]) -> None:
    web = settled(text, environ).web
    assert web.search_key == Secret("k")
    assert "'k'" not in repr(web)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[web]\nallow_private = ["http://x"]', "web.allow_private: 'http://x' is not a place;"),
        ('[web]\nallow_private = ["*"]', "web.allow_private: '*' would open everything;"),
        ("[web]\nallow_private = 1", "web.allow_private: expected"),
        ('[tools]\nnetwork = ["a b"]', "tools.network: 'a b' is not a place;"),
        ('[web]\nsearch = "google"', "web.search must be one of 'searxng', 'brave', 'tavily',"),
        ('[web]\nsearch = "searxng"', "web.search_url is missing"),
        ('[web]\nsearch = "tavily"', "web.search = 'tavily' needs web.search_key or"),
        ('[web]\nsearch_key = "a"\nsearch_key_env = "B"', "web.search_key and web.search_key_env"),
        ('[web]\nsearch_key_env = "B"', "web.search_key_env names B, which is not set."),
        ("[web]\ntimeout = 0", "web.timeout: expected float > 0"),
        ("[web]\nbody_limit = 0", "web.body_limit: expected int >= 1"),
    ],
)
def test_what_cannot_be_used_is_named(text: str, message: str) -> None:
    assert fault(text).startswith(AT + message)
