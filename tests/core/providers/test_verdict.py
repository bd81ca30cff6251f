"""What is done about every fault of a provider, and that the page about it says the same."""

import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.providers.verdict import (
    AskAgain,
    AskWhole,
    GiveUp,
    Reached,
    RotateKey,
    Shorten,
    Verdict,
    judge,
)
from angelia.errors import UpstreamEmpty, UpstreamError, UpstreamOverflow
from tests.core.providers import verdict_table
from tests.core.providers.verdict_table import CASES, FAULTS, NOW, Case, Fault

KINDS = sorted({type(case.error) for case in CASES} | {UpstreamError}, key=lambda k: k.__name__)
HEADERS = ("retry-after", "retry-after-ms", "x-ratelimit-reset", "x-ratelimit-remaining-tokens")
reaches = st.sampled_from(get_args(Reached))
moments = st.floats(0, 4e9)
words = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(" ".join(case.error.message for case in CASES).split()), max_size=20
    ).map(" ".join),
)


def name(case: Case) -> str:
    error = case.error
    what = error.status or type(error).__name__.removeprefix("Upstream")
    named = filter(None, (error.their_type, error.their_code, *error.headers.values()))
    return " ".join([str(what), *named, error.message[:60], case.reached])


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_verdict_on(case: Case) -> None:
    assert judge(case.error, case.reached, NOW) == case.verdict


def test_every_verdict_and_every_kind_of_error_has_a_case() -> None:
    assert {type(case.verdict) for case in CASES} == set(get_args(Verdict))
    tree = [UpstreamError]
    for kind in tree:
        tree += kind.__subclasses__()
    assert set(KINDS) == set(tree)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_class_of_faults_ends_in_one_way(fault: Fault) -> None:
    assert len({verdict_table.done(case.verdict) for case in fault.cases}) == 1


def test_the_page_has_the_table_that_these_cases_make() -> None:
    page = verdict_table.PAGE.read_text()
    assert verdict_table.table() in page, (
        "docs/resilience.md is behind its tests; run: python -m tests.core.providers.verdict_table"
    )
    assert verdict_table.drawn(page) == page


# ── properties ──────────────────────────────────────────────────────────────────────────────


@st.composite
def errors(draw: st.DrawFn) -> UpstreamError:
    kind = draw(st.sampled_from(KINDS))
    if kind is UpstreamOverflow:
        return UpstreamOverflow(draw(words), draw(st.none() | st.integers(1)))
    if kind is UpstreamEmpty:
        return UpstreamEmpty(draw(words))
    return kind(
        draw(words),
        status=draw(st.none() | st.integers(-1, 1000)),
        headers=draw(st.dictionaries(st.sampled_from(HEADERS), st.text(max_size=20))),
        their_type=draw(st.none() | words),
        their_code=draw(st.none() | words),
        protocol=draw(st.sampled_from([None, "chat", "responses", "anthropic"])),
        streamed=draw(st.booleans()),
        limit=draw(st.none() | st.integers(1, 10**7)),
    )


@given(errors(), reaches, moments)
def test_everything_has_a_verdict_whose_numbers_make_sense(
    error: UpstreamError, reached: Reached, now: float
) -> None:
    match judge(error, reached, now):
        case AskAgain(after=seconds) | RotateKey(rest=seconds):
            assert seconds is None or (math.isfinite(seconds) and seconds >= 0)
        case Shorten(limit=limit):
            assert limit is None or limit > 0
        case _:
            pass


@given(errors(), reaches, moments)
def test_the_same_fault_is_always_judged_the_same(
    error: UpstreamError, reached: Reached, now: float
) -> None:
    before = dict(vars(error))
    assert judge(error, reached, now) == judge(error, reached, now)
    assert vars(error) == before


@given(errors(), st.sampled_from(["text", "arguments"]), moments)
def test_what_was_shown_is_never_shortened_or_asked_whole(
    error: UpstreamError, reached: Reached, now: float
) -> None:
    verdict = judge(error, reached, now)
    assert not isinstance(verdict, AskWhole | Shorten)
    unseen = judge(error, "nothing", now)
    assert verdict == (GiveUp() if isinstance(unseen, AskWhole | Shorten) else unseen)
