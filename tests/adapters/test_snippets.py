from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.snippets import READ_CHARACTERS, SNIPPET_WORDS, Said, find, hit
from angelia.adapters.words import words
from angelia.ports import Hit


def test_a_short_text_is_its_own_snippet() -> None:
    found = find(["tea"], "(Green tea,  black teapot!)")
    assert (found.count, found.snippet) == (2, "(Green «tea»,  black «teapot»!)")


def test_a_beginning_that_is_too_short_is_a_word_of_its_own() -> None:
    assert find(["te"], "te tea").snippet == "«te» tea"


@given(before=st.integers(0, 40), after=st.integers(0, 40))
def test_a_long_text_is_cut_around_the_first_hit(before: int, after: int) -> None:
    text = " ".join(["word"] * before + ["needle"] + ["word"] * after)
    snippet = find(["needle"], text).snippet
    assert "«needle»" in snippet
    assert len(list(words(snippet))) == min(before + after + 1, SNIPPET_WORDS)
    assert text.startswith(snippet.replace("«", "").replace("»", "").split("…")[0])


def test_a_text_without_a_hit_begins_where_it_begins() -> None:
    assert find(["tea"], "").snippet == ""
    assert find(["tea"], "milk").count == 0


def test_of_a_very_long_text_the_beginning_is_looked_at() -> None:
    assert find(["tea"], "milk " * READ_CHARACTERS + "tea").count == 0


def test_a_hit_is_on_the_side_where_more_was_found() -> None:
    said = Said("session", "run", 1.0, "tea?", "tea, tea")
    assert hit(["tea"], said) == Hit("session", "run", 1.0, "assistant", "«tea», «tea»")
    said = Said("session", "run", 1.0, "tea?", "tea")
    assert hit(["tea"], said) == Hit("session", "run", 1.0, "user", "«tea»?")
