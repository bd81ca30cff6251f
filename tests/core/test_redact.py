import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.redact import MASK, redact


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
