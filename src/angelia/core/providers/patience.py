"""How long to wait for a model: for a connection, its first token, the next one, a whole answer.

What is configured holds as it stands. Everything else begins with what suits a provider far away:

    connect          10 s
    first_token     120 s    the wait for the first thing to show, whatever else arrives
    between_chunks   60 s    the wait for the next sign of life
    whole           600 s    the wait for an answer that comes in one piece

A model nearby may have to be loaded first and reads slowly: 5 × as long, 3 × for a whole answer. A
model that thinks before it speaks may take twice as long to begin. Reading a prompt takes time on
top: 0.5 s for every 1,000 tokens, 10 s nearby.

What was seen of an endpoint moves both budgets of a stream: 4 × what 99 of 100 answers stayed
within, but never less than a quarter and never more than twice of what holds unseen. So a dead
stream of a quick provider is noticed early, and a slow one is not cut off for being slow. The last
answer counts by itself, up to what holds unseen: behind a stall nobody is cut off early again. Time
for reading the prompt comes on top of what was learnt as well.
"""

import math
from collections.abc import Sequence

from msgspec import Struct

from angelia.core.messages import Sampling

_CONNECT = 10.0
_FIRST_TOKEN = 120.0
_BETWEEN_CHUNKS = 60.0
_WHOLE = 600.0

_NEARBY = 5.0
_NEARBY_WHOLE = 3.0
_THINKING = 2.0
_PER_TOKEN = 0.5 / 1_000
_PER_TOKEN_NEARBY = 10.0 / 1_000

_ENOUGH = 20
_PERCENTILE = 0.99
_MARGIN = 4.0
_LEAST = 0.25
_MOST = 2.0

# Bytes that show nothing, such as comments, are signs of life for so many times the wait.
LIFE_SIGNS = 4.0


class Timeouts(Struct, frozen=True):
    """What is configured, in seconds; None is for `patience` to say."""

    connect: float | None = None
    first_token: float | None = None
    between_chunks: float | None = None
    whole: float | None = None


class Patience(Struct, frozen=True):
    """Seconds."""

    connect: float
    first_token: float
    between_chunks: float
    whole: float


class Observed(Struct, frozen=True):
    """What recent answers of an endpoint took to begin, and the longest wait within each."""

    first_tokens: tuple[float, ...] = ()
    gaps: tuple[float, ...] = ()


def patience(
    given: Timeouts,
    *,
    local: bool = False,
    reasoning: bool = False,
    tokens: int = 0,
    seen: Observed | None = None,
) -> Patience:
    """`tokens` is the estimated size of the prompt."""
    seen = seen or Observed()
    reading = max(0, tokens) * (_PER_TOKEN_NEARBY if local else _PER_TOKEN)
    thinking = _THINKING if reasoning else 1.0
    nearby = _NEARBY if local else 1.0
    first = _learnt(_FIRST_TOKEN * nearby * thinking, seen.first_tokens) + reading
    between = _learnt(_BETWEEN_CHUNKS * nearby, seen.gaps)
    whole = _WHOLE * (_NEARBY_WHOLE if local else 1.0) * thinking + reading
    return Patience(
        _or(given.connect, _CONNECT),
        _or(given.first_token, first),
        _or(given.between_chunks, between),
        _or(given.whole, max(whole, first)),
    )


def thinks(sampling: Sampling) -> bool:
    """Whether the model is asked to think before it answers."""
    return sampling.reasoning_effort not in (None, "none", "minimal")


def _learnt(unseen: float, times: Sequence[float]) -> float:
    if len(times) < _ENOUGH:
        return unseen
    rank = math.ceil(_PERCENTILE * len(times)) - 1
    learnt = min(max(sorted(times)[rank] * _MARGIN, unseen * _LEAST), unseen * _MOST)
    return max(learnt, min(times[-1] * _MARGIN, unseen))


def _or(given: float | None, otherwise: float) -> float:
    return otherwise if given is None else given
