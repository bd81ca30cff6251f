import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.words import AT_ONCE, WORD, fold, may_be_cut_off, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("?! — _ \ud800", []),
        ("Green  tea, please!", ["Green", "tea", "please"]),
        ("snake_case e-mail 3.11", ["snake", "case", "e", "mail", "3", "11"]),
        ("cafe\u0301s caf\u00e9s", ["cafe\u0301s", "caf\u00e9s"]),
        ("\u0301alone", ["alone"]),
    ],
)
def test_words_are_letters_and_digits_with_their_accents(text: str, found: list[str]) -> None:
    assert WORD.findall(text) == found
    assert list(words(text)) == [fold(word) for word in found]


@pytest.mark.parametrize(
    ("word", "folded"), [("Café", "cafe"), ("cafe\u0301", "cafe"), ("ÄÖÜ", "aou"), ("ЖУК", "жук")]
)
def test_accents_and_capitals_are_folded_away(word: str, folded: str) -> None:
    assert fold(word) == folded


@given(st.text("abAB1_-."))
def test_a_short_text_is_read_at_once_as_a_long_one_is_word_by_word(text: str) -> None:
    *long, end = words(f"{text} {' ' * AT_ONCE} é")
    assert (list(words(text)), end) == (long, "e")


@given(st.text("abAB éÉüßжЖ1_-.\u0301"))
def test_a_folded_text_has_the_same_words(text: str) -> None:
    assert list(words(" ".join(words(text)))) == list(words(text))


def test_no_letter_becomes_a_sign_that_parts_words() -> None:
    letters = filter(WORD.fullmatch, map(chr, range(sys.maxunicode + 1)))
    assert {c for letter in letters for c in fold(letter) if c.isascii() and not c.isalnum()} == (
        set()
    )


@pytest.mark.parametrize(
    ("word", "may"), [("te", False), ("tea", True), ("ж", False), ("жу", True), ("猫", True)]
)
def test_the_beginning_of_a_word_must_not_stand_for_too_many(word: str, may: bool) -> None:
    assert may_be_cut_off(word) == may
