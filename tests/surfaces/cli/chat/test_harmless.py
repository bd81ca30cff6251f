import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from angelia.surfaces.cli.chat.harmless import harmless, printed


@given(st.text())
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    for shown in (harmless(text), printed(text)):
        assert not any(unicodedata.category(mark) == "Cc" for mark in shown.replace("\n", ""))
        assert not set(shown) & set("\u202a\u202e\u2066\u2069\u200f\u2028")


@given(st.text(), st.text())
def test_each_character_is_judged_alone(one: str, two: str) -> None:
    assert harmless(one) + harmless(two) == harmless(one + two)


def test_what_is_no_danger_stays_and_what_is_can_be_seen() -> None:
    assert harmless("é\u00a0👨\u200d👩 \x1b[2J\x07\u202e") == "é\u00a0👨\u200d👩 ␛[2J␇\\u202e"


def test_colours_of_a_program_go_and_a_line_starts_again_at_a_return() -> None:
    assert printed("\x1b[32mok\x1b[0m\r\n10%\r20%\x1b]0;title\x07 \x1b[3") == "ok\n20% "
