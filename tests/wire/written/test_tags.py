"""Thoughts in tags: told from the answer wherever the text is cut, and nothing is lost."""

import re
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.events import ReasoningDelta, TextDelta
from angelia.wire.written.tags import TAGS, Splitter

OPENINGS, CLOSINGS = list(TAGS), list(TAGS.values())
WORDS = [*OPENINGS, *CLOSINGS, "<", "<thi", "nk>", "</th", "[", "◁", "<|", " ", "\n\n", "hm", "é"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map("".join)
SIZES = st.lists(st.integers(1, 9), max_size=40)


def cut(text: str, sizes: Sequence[int]) -> Iterable[str]:
    for size in sizes:
        yield text[:size]
        text = text[size:]
    yield text


def split(pieces: Iterable[str], *, opened: bool = False, clean: bool = True) -> tuple[str, str]:
    """What was thought and what was said."""
    splitter = Splitter(opened=opened)
    found = [piece for text in pieces for piece in splitter.feed(text)]
    found += splitter.close(clean=clean)
    return (
        "".join(piece.text for piece in found if isinstance(piece, ReasoningDelta)),
        "".join(piece.text for piece in found if isinstance(piece, TextDelta)),
    )


@pytest.mark.parametrize(("opening", "closing"), TAGS.items())
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_a_block_at_the_beginning_is_thought(opening: str, closing: str, size: int) -> None:
    text = f"{opening}a < b{closing}\n\nYes."
    assert split(cut(text, [size] * len(text))) == ("a < b", "Yes.")


@pytest.mark.parametrize(
    ("text", "thought", "said"),
    [
        ("", "", ""),
        ("Hello", "", "Hello"),
        ("  Hello", "", "  Hello"),
        ("<b>Hello</b>", "", "<b>Hello</b>"),
        ("<thi", "", "<thi"),
        ("<think", "", "<think"),
        ("\n<think>\na\n</think>\n\nb", "a\n", "b"),
        ("<think></think>b", "", "b"),
        ("<think>\n\n</think>\n\nb", "", "b"),
        ("<think>a</think>", "a", ""),
        ("<think>a</think>\n", "a", ""),
        ("<think>a", "a", ""),
        ("<think>a</thi", "a</thi", ""),
        ("<think>a</think> <think>b</think> c", "ab", "c"),
        ("<think>a</think>b <think>c</think>", "a", "b <think>c</think>"),
        ("<think>a</thinking>b</think>c", "a</thinking>b", "c"),
        ("Write <think> first.", "", "Write <think> first."),
        ("a</think>b", "", "a</think>b"),
    ],
)
def test_what_is_thought_and_what_is_said(text: str, thought: str, said: str) -> None:
    assert split([text]) == split(text) == (thought, said)


@pytest.mark.parametrize(
    ("text", "thought", "said"),
    [
        ("a</think>\n\nb", "a", "b"),
        ("\na[/THINK]b", "a", "b"),
        ("</think>b", "", "b"),
        ("<think>a</think>b", "a", "b"),
        ("a</think><think>b</think>c", "ab", "c"),
        ("  ", "", "  "),
        ("<think>a", "a", ""),
    ],
)
def test_a_text_may_begin_inside_a_block(text: str, thought: str, said: str) -> None:
    assert split([text], opened=True) == split(text, opened=True) == (thought, said)


def test_a_text_that_never_leaves_the_block_it_should_begin_in_is_the_answer() -> None:
    assert split(["Hel", "lo"], opened=True) == ("Hello", "Hello")


def test_a_thought_that_is_cut_off_is_no_answer() -> None:
    assert split(["Hel", "lo"], opened=True, clean=False) == ("Hello", "")


def test_a_provider_that_tells_thoughts_itself_is_believed() -> None:
    splitter = Splitter(opened=True)
    splitter.expect_tag()
    assert splitter.feed("Hello") == [TextDelta("Hello")]


@given(TEXTS, SIZES, st.booleans(), st.booleans())
def test_where_the_text_is_cut_does_not_matter(
    text: str, sizes: list[int], opened: bool, clean: bool
) -> None:
    whole = split([text], opened=opened, clean=clean)
    assert split(cut(text, sizes), opened=opened, clean=clean) == whole


@given(TEXTS, SIZES)
def test_nothing_is_lost_and_nothing_is_made_up(text: str, sizes: list[int]) -> None:
    """What came out is what went in, but for whole tags and white space around them."""
    thought, said = split(cut(text, sizes))
    assert text.endswith(said)
    tags = "|".join(map(re.escape, WORDS[: len(OPENINGS) + len(CLOSINGS)]))
    before = text.removesuffix(said) if said else text
    kept = re.sub(rf"{tags}|\s", "", thought)
    assert kept == re.sub(rf"{tags}|\s", "", before)


@given(st.text(), SIZES)
def test_a_text_that_begins_with_no_tag_passes_unchanged(text: str, sizes: list[int]) -> None:
    assert split(cut(f"a{text}", sizes)) == ("", f"a{text}")


def test_once_the_answer_has_begun_nothing_is_held_back() -> None:
    splitter = Splitter()
    assert not splitter.feed(" <")
    assert splitter.feed("b") == [TextDelta(" <b")]
    assert splitter.plain
    assert splitter.feed("<think") == [TextDelta("<think")]


def test_a_thought_is_shown_as_soon_as_it_cannot_be_a_tag() -> None:
    splitter = Splitter()
    splitter.feed("<think>")
    assert splitter.feed("a </") == [ReasoningDelta("a ")]
    assert splitter.feed("b") == [ReasoningDelta("</b")]


@pytest.mark.parametrize("opened", [True, False])
def test_endless_white_space_is_not_held_back(opened: bool) -> None:
    splitter = Splitter(opened=opened)
    shown = [piece for _ in range(2_000) for piece in splitter.feed("\n")]
    assert opened or len("".join(piece.text for piece in shown)) == 2_000
    said = splitter.feed("Hello </think> you") + splitter.close(clean=True)
    assert isinstance(said[0], ReasoningDelta if opened else TextDelta)
