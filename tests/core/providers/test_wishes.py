import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.providers import wishes

NOW = 1_445_412_480.0  # Wed, 21 Oct 2015 07:28:00 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "30s"}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:20 GMT"}, 20.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:27:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:20 -0000"}, 20.0),
        ({"retry-after": "Wed, 21 Oct 2015 09:28:20 +0200"}, 20.0),
        ({"retry-after": "2015-10-21T07:28:20Z"}, 20.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "99 Xyz 99999 99:99:99 GMT"}, None),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "3"}, 3.0),
        ({"retry-after": "1e9"}, 0.0),
        ({"retry-after": "999999"}, 86_400.0),
    ],
)
def test_a_server_asks_to_be_left_alone_for(headers: dict[str, str], seconds: float | None):
    assert wishes.retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("120ms", 0.12),
        ("1m30.5s", 90.5),
        ("1h2m3s", 3723.0),
        ("2m", 120.0),
        ("12", 12.0),
        ("1445412490", 10.0),
        ("1445412490000", 10.0),
        ("2015-10-21T07:28:20Z", 20.0),
        ("2015-10-21T07:28:20.5Z", 20.5),
        ("2015-10-21T09:28:20+02:00", 20.0),
        ("2015-10-21T05:28:20-02:00", 20.0),
        ("2015-13-21T07:28:20Z", None),
        ("yesterday", None),
        ("m", None),
        ("", None),
    ],
)
def test_a_limit_is_reset_in(value: str, seconds: float | None):
    assert wishes.limit_reset({"x-ratelimit-reset": value}, NOW) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        # Only what is used up has to be waited for.
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-tokens": "149984",
                "x-ratelimit-reset-tokens": "6m0s",
            },
            1.0,
        ),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2015-10-21T07:28:05Z",
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2015-10-21T07:28:50Z",
            },
            50.0,
        ),
        ({"x-ratelimit-reset-requests": "8s", "x-ratelimit-reset-tokens": "2s"}, 2.0),
        ({"ratelimit-reset": "30"}, 30.0),
        ({"x-ratelimit-remaining-requests": "0"}, None),
    ],
)
def test_of_several_limits_the_one_that_is_used_up_counts(
    headers: dict[str, str], seconds: float | None
):
    assert wishes.limit_reset(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Rate limit reached. Please try again in 20s.", 20.0),
        ("Please try again in 1.242s. Visit", 1.242),
        ("Please try again in 120ms.", 0.12),
        ("Please retry in 55.9s.", 55.9),
        ("Retry after 10 seconds", 10.0),
        ("try again in 6m0s", 360.0),
        ("try again in 1.2.3s", None),
        ("Try again later.", None),
        ("", None),
    ],
)
def test_a_wish_may_stand_in_the_words(words: str, seconds: float | None):
    assert wishes.in_words(words) == seconds


@pytest.mark.parametrize(
    ("header", "matters"),
    [
        ("retry-after", True),
        ("retry-after-ms", True),
        ("x-ratelimit-reset-requests", True),
        ("x-ratelimit-remaining-tokens", True),
        ("anthropic-ratelimit-output-tokens-reset", True),
        ("x-ratelimit-limit-tokens", False),
        ("authorization", False),
    ],
)
def test_headers_that_tell_about_waiting(header: str, matters: bool):
    assert wishes.matters(header) is matters


names = st.sampled_from(
    ["retry-after", "retry-after-ms", "x-ratelimit-reset", "x-ratelimit-remaining", "other"]
)
values = st.one_of(st.text(), st.from_regex(r"[0-9.smhdeTZ:+ -]{0,30}"), st.floats().map(str))


@given(st.dictionaries(names, values), st.text(), st.floats(0, 1e12))
def test_whatever_stands_there_a_wish_is_a_bounded_number(headers, words, now):
    found = (
        wishes.retry_after(headers, now),
        wishes.limit_reset(headers, now),
        wishes.in_words(words),
    )
    assert all(
        seconds is None or (math.isfinite(seconds) and 0 <= seconds <= wishes.LONGEST)
        for seconds in found
    )
