"""What a model is shown of a conversation that is too long for it."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import Assistant, Prompt, Text, User, user
from angelia.core.tokens import estimate
from angelia.core.window import fitted
from tests.core.transcripts import transcripts


def said(text: str) -> Assistant:
    return Assistant((Text(text),))


LONG = (user("a" * 400), said("b" * 400), user("c" * 400), said("d" * 400), user("e"))


def test_what_fits_stays_whole() -> None:
    prompt = Prompt("m", "", LONG)
    assert fitted(prompt, estimate(prompt)) == LONG


def test_the_oldest_turns_go_first_and_go_whole() -> None:
    prompt = Prompt("m", "", LONG)
    assert fitted(prompt, estimate(prompt) - 1) == LONG[2:]
    assert fitted(prompt, 20) == LONG[4:]


def test_the_last_turn_stays_however_long_it_is() -> None:
    assert fitted(Prompt("m", "", (*LONG[:4], user("f" * 9000))), 10) == (user("f" * 9000),)


@given(transcripts, st.integers(1, 400))
def test_a_fitted_conversation_is_an_end_of_the_whole_that_begins_with_a_person(
    messages: tuple[object, ...], tokens: int
) -> None:
    prompt = Prompt("m", "be kind", messages)
    kept = fitted(prompt, tokens)
    assert kept == messages[len(messages) - len(kept) :]
    if kept != messages:
        assert isinstance(kept[0], User)
    if estimate(prompt) > tokens and len(kept) == len(messages):
        later = messages[1:]
        assert all(
            isinstance(before, User)
            for before, here in zip(messages, later, strict=False)
            if isinstance(here, User)
        )
