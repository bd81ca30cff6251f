from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.upstream.retry import retry_after, streaming_refused, wait
from angelia.errors import UpstreamRefused

NOW = 1_445_412_480.0  # Wed, 21 Oct 2015 07:28:00 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:20 GMT"}, 20.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:27:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:20 -0000"}, 20.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
    ],
)
def test_a_provider_asks_to_be_left_alone_for(headers: dict[str, str], seconds: float | None):
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(("wish", "seconds"), [(0.0, 0.0), (7.0, 7.0), (3600.0, 60.0)])
def test_the_providers_wish_is_honoured_within_reason(wish: float, seconds: float):
    assert wait(1, wish, Random(1)) == seconds


@given(st.integers(1, 50), st.integers())
def test_waits_grow_to_a_limit_and_never_come_in_step(attempt: int, seed: int):
    longest = min(8.0, 0.5 * 2 ** (attempt - 1))
    assert longest * 0.75 <= wait(attempt, None, Random(seed)) <= longest


@pytest.mark.parametrize(
    ("status", "message", "refused"),
    [
        (400, "Streaming is not supported by this model.", True),
        (400, "This model does not support streaming", True),
        (400, "stream=true is unsupported", True),
        (422, "stream: must be false", True),
        (400, "Your organization must be verified to stream this model.", True),
        (400, "Unknown field: stream_of_thought", False),
        (400, "temperature is not supported", False),
        (401, "Streaming is not supported without a key", False),
        (500, "Streaming is not supported", False),
    ],
)
def test_a_provider_says_that_it_does_not_stream(status: int, message: str, refused: bool):
    error = UpstreamRefused(message, retryable=False, status=status)
    assert streaming_refused(error) is refused
