"""When an endpoint is left alone for a while."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.providers.breaker import FIRST_REST, LONGEST_REST, Breaker


def broken(faults: int = 3, at: float = 0.0) -> Breaker:
    breaker = Breaker(faults)
    for _ in range(faults):
        breaker.failed(at)
    return breaker


def test_it_opens_after_so_many_faults_in_a_row() -> None:
    breaker = Breaker(3)
    breaker.failed(0.0)
    breaker.failed(0.0)
    assert breaker.health(0.0) == "closed"
    breaker.failed(0.0)
    assert breaker.health(0.0) == "open"


def test_an_answer_in_between_begins_the_count_anew() -> None:
    breaker = Breaker(2)
    breaker.failed(0.0)
    breaker.answered()
    breaker.failed(0.0)
    assert breaker.health(0.0) == "closed"


def test_after_its_time_one_question_is_let_through() -> None:
    breaker = broken()
    assert breaker.health(FIRST_REST) == "on_trial"
    breaker.ask(FIRST_REST)
    assert breaker.health(FIRST_REST) == "open"
    breaker.answered()
    assert breaker.health(FIRST_REST) == "closed"


def test_a_failed_trial_opens_it_for_longer() -> None:
    breaker = broken()
    breaker.ask(FIRST_REST)
    breaker.failed(FIRST_REST)
    assert breaker.health(FIRST_REST * 3 - 1) == "open"
    assert breaker.health(FIRST_REST * 3) == "on_trial"


def test_none_opens_that_is_turned_off() -> None:
    breaker = Breaker(0)
    for _ in range(100):
        breaker.failed(0.0)
    assert breaker.health(0.0) == "closed"


@given(st.lists(st.sampled_from(["failed", "answered", "ask"]), max_size=60))
def test_it_never_stays_open_for_longer_than_the_longest_rest(history) -> None:
    breaker = Breaker(2)
    for event in history:
        if event == "answered":
            breaker.answered()
        else:
            getattr(breaker, event)(7.0)
    assert breaker.health(7.0 + LONGEST_REST) != "open"
