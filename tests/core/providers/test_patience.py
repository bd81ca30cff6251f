import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import Sampling
from angelia.core.providers.patience import Observed, Patience, Timeouts, patience, thinks

FAR = Patience(connect=10, first_token=120, between_chunks=60, whole=600)
seconds = st.floats(0.01, 10_000)
maybe = st.none() | seconds
given_timeouts = st.builds(Timeouts, maybe, maybe, maybe, maybe)
times = st.lists(st.floats(0, 1e6), max_size=140).map(tuple)
seen = st.none() | st.builds(Observed, times, times)
sizes = st.integers(0, 2_000_000)


def quick(count: int, first: float = 1.0, gap: float = 0.5) -> Observed:
    return Observed((first,) * count, (gap,) * count)


def test_a_provider_far_away_is_given_what_it_always_was():
    assert patience(Timeouts()) == FAR


def test_a_model_nearby_is_given_more_time():
    assert patience(Timeouts(), local=True) == Patience(10, 600, 300, 1_800)


def test_a_model_that_thinks_first_may_take_longer_to_begin():
    assert patience(Timeouts(), reasoning=True) == Patience(10, 240, 60, 1_200)


def test_a_long_prompt_takes_time_to_be_read_and_more_nearby():
    assert patience(Timeouts(), tokens=200_000) == Patience(10, 220, 60, 700)
    assert patience(Timeouts(), tokens=30_000, local=True) == Patience(10, 900, 300, 2_100)


def test_a_few_answers_teach_nothing():
    assert patience(Timeouts(), seen=quick(19)) == FAR


def test_the_silence_of_a_quick_provider_is_noticed_sooner():
    learnt = patience(Timeouts(), seen=quick(20))
    assert (learnt.first_token, learnt.between_chunks) == (30, 15)


def test_a_slow_provider_is_given_more_time_within_bounds():
    learnt = patience(Timeouts(), seen=quick(20, first=40, gap=1_000))
    assert (learnt.first_token, learnt.between_chunks) == (160, 120)
    assert patience(Timeouts(), seen=quick(20, first=110)).first_token == 240


def test_one_slow_answer_in_a_hundred_is_no_rule():
    rare = Observed((100.0,) + (1.0,) * 127, (0.5,) * 128)
    assert patience(Timeouts(), seen=rare).first_token == 30


def test_behind_a_stall_nobody_is_cut_off_early_again():
    stalled = Observed((1.0,) * 127 + (30.0,), (0.5,) * 127 + (15.0,))
    behind = patience(Timeouts(), seen=stalled)
    assert (behind.first_token, behind.between_chunks) == (120, 60)
    twice = Observed((1.0,) * 126 + (30.0,) * 2, (0.5,) * 128)
    assert patience(Timeouts(), seen=twice).first_token == 120


def test_what_was_learnt_of_short_prompts_does_not_cut_long_ones():
    assert patience(Timeouts(), tokens=200_000, seen=quick(20)).first_token == 130


@given(given_timeouts, st.booleans(), st.booleans(), sizes, seen)
def test_what_is_configured_is_never_changed(given_, local, reasoning, tokens, seen):
    got = patience(given_, local=local, reasoning=reasoning, tokens=tokens, seen=seen)
    for name in Timeouts.__struct_fields__:
        assert getattr(given_, name) in (None, getattr(got, name))


@given(st.booleans(), st.booleans(), sizes, sizes, seen)
def test_a_longer_prompt_is_never_given_less_time(local, reasoning, one, other, seen):
    short, long = (
        patience(Timeouts(), local=local, reasoning=reasoning, tokens=tokens, seen=seen)
        for tokens in sorted((one, other))
    )
    for name in Patience.__struct_fields__:
        assert getattr(short, name) <= getattr(long, name)


@given(st.booleans(), st.booleans(), sizes, seen)
def test_what_is_learnt_stays_within_bounds(local, reasoning, tokens, seen):
    unseen = patience(Timeouts(), local=local, reasoning=reasoning)
    reading = patience(Timeouts(), local=local, reasoning=reasoning, tokens=tokens)
    extra = reading.first_token - unseen.first_token
    got = patience(Timeouts(), local=local, reasoning=reasoning, tokens=tokens, seen=seen)
    least, most = unseen.first_token * 0.25 + extra, unseen.first_token * 2 + extra
    assert least - 1e-6 <= got.first_token <= most + 1e-6
    assert unseen.between_chunks * 0.25 <= got.between_chunks <= unseen.between_chunks * 2
    assert got.whole >= got.first_token


@pytest.mark.parametrize(
    ("effort", "expected"),
    [(None, False), ("none", False), ("minimal", False), ("low", True), ("xhigh", True)],
)
def test_whoever_is_asked_for_an_effort_thinks_first(effort, expected):
    assert thinks(Sampling(reasoning_effort=effort)) is expected
