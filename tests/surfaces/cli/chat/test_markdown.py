import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.surfaces.cli.chat.markdown import Blocks, shortened

LINES = st.sampled_from(
    [
        "",
        "",
        "words",
        "# head",
        "```py",
        "```",
        "~~~",
        "- item",
        "  more",
        "    code",
        "1. one",
        "|a|b|",
    ]
)
TEXTS = st.lists(LINES, max_size=20).map("\n".join)


def cut(*pieces: str) -> list[str]:
    blocks = Blocks()
    return [block for piece in pieces for block in blocks.feed(piece)] + blocks.close()


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
        ("# head\ntext", ["# head", "text"]),
        ("see:\n```py\na\n\nb\n```\nafter", ["see:", "```py\na\n\nb\n```", "after"]),
        ("1. one\n\n   more\n\n2. two", ["1. one\n\n   more", "2. two"]),
        ("- a\n  ```\n  x\n\n  y\n  ```\n  z", ["- a\n  ```\n  x\n\n  y\n  ```\n  z"]),
        ("````\n```\n````\nx", ["````\n```\n````", "x"]),
        ("\n\n", []),
    ],
)
def test_blocks_end_where_nothing_more_can_belong_to_them(text: str, blocks: list[str]) -> None:
    assert cut(text) == blocks


@given(TEXTS, st.data())
def test_blocks_do_not_depend_on_where_the_text_was_cut(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    assert cut(text[:at], text[at:]) == cut(*text) == cut(text)


@given(TEXTS)
def test_no_word_is_lost(text: str) -> None:
    assert " ".join(cut(text)).split() == text.split()


def test_the_end_of_long_code_is_still_code() -> None:
    block = "```py\n" + "\n".join(map(str, range(100)))
    assert shortened(block, 2) == "```py\n98\n99"
    assert shortened("a\nb", 2) == "a\nb"
