import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.framing import framed, visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("bell\x07 and\x1b[31m red", "bell and[31m red"),
        ("over\u202eride \u2066isolate\u2069", "override isolate"),
        ("tag\U000e0041\U000e0042ged", "tagged"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("half \ud800 a pair", "half  a pair"),
        ("família 👩\u200d💻 می\u200cخواهم", "família 👩\u200d💻 می\u200cخواهم"),
    ],
)
def test_what_nobody_sees_is_taken_out(text: str, seen: str) -> None:
    assert visible(text) == seen


@given(st.text())
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(st.text(), st.sampled_from(["</memory>", "< / MEMORY >", "<memory>", "</memory"]))
def test_no_text_closes_its_own_frame(text: str, mark: str) -> None:
    shown = framed("memory", "About.", text + mark + text)
    assert len(re.findall(r"<\s*/?\s*memory\b", shown, re.IGNORECASE)) == 2
    assert shown.startswith("<memory>\nAbout.\n\n")
    assert shown.endswith("\n</memory>")


def test_words_that_only_begin_like_the_tag_stay() -> None:
    assert "<memorylane>" in framed("memory", "", "<memorylane>")
