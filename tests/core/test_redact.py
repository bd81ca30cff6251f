from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.redact import MASK, Redactor, redact


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Incorrect API key provided: sk-proj-abc123DEF456.", "sk-proj-abc123DEF456"),
        ("Incorrect API key provided: sk-abcd***********wxyz.", "wxyz"),
        ("key sk-ant-api03-AAAA_BBBB-CCCC here", "sk-ant-api03-AAAA_BBBB-CCCC"),
        ("Authorization: Bearer abcdef0123456789==", "abcdef0123456789"),
        ("authorization: basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA"),
        ("gsk_abcdefghijklmnop used", "gsk_abcdefghijklmnop"),
        ("AIzaSyA0123456789abcdefghijklmnopq", "AIzaSyA0123456789"),
        ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
        ("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln", "eyJzdWIiOiIx"),
        ("cannot reach https://me:hunter2@example.com/v1", "hunter2"),
        ('{"api_key": "0123456789abcdef"}', "0123456789abcdef"),
        ("x-api-key=0123456789abcdef&x=1", "0123456789abcdef"),
        ("OPENAI_API_KEY=abcdefgh1", "abcdefgh1"),
        ("password: correct-horse-1", "correct-horse-1"),
        ("the key ang-Zk3_-Pq9TtYyUuIiOoPpAaSsDdFfGgHh is new", "Zk3_-Pq9"),
        ("session-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln", "eyJzdWIiOiIx"),
        (f"eyJ{'a' * 2_000}.eyJ{'b' * 2_000}.{'c' * 2_000}", "ccc"),
        (f"redis://:{'p4ss' * 100}@localhost", "p4ss"),
    ],
)
def test_what_has_the_shape_of_a_key_is_taken_out(text: str, secret: str):
    cleaned = redact(text)
    assert secret not in cleaned
    assert MASK in cleaned


@pytest.mark.parametrize(
    "text",
    [
        "The model 'gpt-4o' does not exist.",
        "Unexpected token: something is wrong",
        "max_tokens: 100000 is too large",
        "Rate limit reached; try again in 20 s.",
        "task-oriented sketching on https://example.com:8080/v1/chat",
        "a bearer of news",
        "an ang-ular tang-erine",
        "https://example.com:8080/me@example.com",
    ],
)
def test_ordinary_words_stay(text: str):
    assert redact(text) == text


def test_a_given_secret_is_taken_out_whatever_its_shape():
    assert redact("the word is swordfish!", "swordfish") == f"the word is {MASK}!"


def test_a_secret_that_is_absent_or_too_short_changes_nothing():
    assert redact("abc def", None, "", "abc") == "abc def"


@given(
    st.text(alphabet="abcdefghij0123456789", min_size=20, max_size=40),
    st.text("klmXYZ é\n\"':=/{}", max_size=30),
)
def test_no_key_survives_in_any_surroundings(key: str, around: str):
    assert key not in redact(f"{around} sk-{key} {around}")
    assert key not in redact(f"{around} Bearer {key} {around}")
    assert key not in redact(f"{around}{key}{around}", key)


# ── time ────────────────────────────────────────────────────────────────────────────────────

NASTY = [
    "a",
    "a-",
    "a-b_C9",
    "eyJ-",
    "eyJaaaaaaaa.",
    "token=",
    "token        =        ",
    "password:",
    "sk-",
    "sk------",
    "ang-",
    "://:",
    "://a:",
    "://a:b@",
    " ",
    "Bearer ",
    "Basic aaaaaaa ",
    "=",
]
FRAGMENTS = ["a", "-", ".", "eyJ-", "token=", "sk-", "://", ":", "@", " ", "Bearer ", '"', "1"]


# What grows with the square of its input takes hours for this, what grows with it a blink.
@pytest.mark.timeout(30)
@pytest.mark.parametrize("unit", NASTY)
def test_a_million_characters_are_nothing(unit: str):
    text = unit * (1_000_000 // len(unit))
    redact(text)
    redact(f"{text}\n")
    Redactor("swordfish").settled(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("first", FRAGMENTS)
def test_no_repetition_of_two_things_takes_long(first: str):
    for second in FRAGMENTS:
        redact((first + second) * (100_000 // len(first + second)))


# ── secrets of any shape, and text in pieces ────────────────────────────────────────────────


def test_a_redactor_knows_its_secrets_and_the_shapes():
    clean = Redactor("swordfish", None, "swordfish and chips")
    assert clean("swordfish and chips, sk-abcdefghij0") == f"{MASK}, {MASK}"


def pieces(text: str, cuts: list[int]) -> list[str]:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def shown(clean: Redactor, given: list[str]) -> str:
    """What somebody sees who gets every piece as soon as it is settled."""
    seen = held = ""
    for piece in given:
        held = clean.without_secrets(held + piece)
        place = clean.settled(held)
        seen, held = seen + clean(held[:place]), held[place:]
    return seen + clean(held)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("one sk-abcdefghijklmnop1234 two", "abcdef"),
        ("Authorization: Bearer abcdef0123456789== two", "abcdef"),
        ("the password = abcdef0123456789 two", "abcdef"),
        ('"api_key" : "abcdef0123456789"', "abcdef"),
        ("an odd word: open sesame! two", "sesame"),
    ],
)
@given(cuts=st.lists(st.integers(0, 60), max_size=6))
def test_a_secret_in_pieces_is_seen_in_none(text: str, secret: str, cuts: list[int]):
    clean = Redactor("open sesame!")
    assert shown(clean, pieces(text, cuts)) == clean(text)
    assert secret not in clean(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", 0),
        ("whole words ", 12),
        ("whole words\n", 12),
        ("half wor", 5),
        ("a Bearer ", 2),
        ("a password = ", 2),
        ("x" * 5_000, 5_000),
        (" " + "x" * 2_047, 1),
    ],
)
def test_only_a_word_that_may_go_on_is_not_settled(text: str, place: int):
    assert Redactor().settled(text) == place
