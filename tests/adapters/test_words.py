import pytest

from angelia.adapters.words import WORD


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("?! — _ \ud800", []),
        ("Green  tea, please!", ["Green", "tea", "please"]),
        ("snake_case e-mail 3.11", ["snake", "case", "e", "mail", "3", "11"]),
        ("cafe\u0301s caf\u00e9s", ["cafe\u0301s", "caf\u00e9s"]),
        ("\u0301alone", ["alone"]),
    ],
)
def test_words_are_letters_and_digits_with_their_accents(text: str, words: list[str]) -> None:
    assert WORD.findall(text) == words
