"""What to do about a model call that failed: one pure function, and the words it answers with."""

from typing import Literal

from msgspec import Struct

from angelia.errors import UpstreamError

# How far an answer got before it failed, by the last thing of it that was shown.
Reached = Literal["nothing", "reasoning", "text", "arguments"]


class AskAgain(Struct, frozen=True):
    """The same endpoint, `after` so many seconds; None is for the usual backoff to say."""

    after: float | None = None


class AskWhole(Struct, frozen=True):
    """The same endpoint, without streaming."""


class RotateKey(Struct, frozen=True):
    """Another key of the same provider; this one is to rest for so many seconds."""

    rest: float


class FallBack(Struct, frozen=True):
    """This endpoint will not answer; another one may."""


class Shorten(Struct, frozen=True):
    """The prompt is too long; `limit` is what the model reads at most, if it said so."""

    limit: int | None = None


class GiveUp(Struct, frozen=True):
    """Nobody will answer this."""


Verdict = AskAgain | AskWhole | RotateKey | FallBack | Shorten | GiveUp


def judge(error: UpstreamError, reached: Reached, now: float) -> Verdict:
    """`now` is in seconds since the epoch, for providers that name a date to come back at."""
    return AskAgain(error.retry_after) if error.retryable else GiveUp()
