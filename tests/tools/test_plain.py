import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.tools.plain import plain


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ("hello\r\nyou\r\n", "hello\nyou\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[H\x1b[?25lhome", "home"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b(Bascii\x1b=", "ascii"),
        ("\x1bPq#0;2\x1b\\picture", "picture"),
        ("10%\r50%\r100%\r\ndone", "100%\ndone"),
        ("half a word\r", "half a word"),
        ("ding\x07", "ding"),
        ("a\tb [not an escape]", "a\tb [not an escape]"),
    ],
)
def test_a_screen_as_text(drawn: str, read: str):
    assert plain(drawn) == read


@given(st.text(alphabet=st.characters(exclude_characters="\x1b\r\x07")))
def test_text_without_a_trick_stays_as_it_is(text: str):
    assert plain(text) == text
