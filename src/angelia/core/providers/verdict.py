"""What to do about a model call that failed: one pure function, and the words it answers with.

A status decides where there is one, except where providers give one status to several things: the
words of the refusal tell those apart. An error inside an answer that began well has no status, so
its words stand in for it.
"""

import re
from typing import Literal

from msgspec import Struct

from angelia.core.providers import overflow, wishes
from angelia.errors import (
    UpstreamError,
    UpstreamGarbled,
    UpstreamOverflow,
    UpstreamStalled,
    UpstreamUnreachable,
    UpstreamUnusable,
)

# How far an answer got before it failed, by the last thing of it that was shown.
Reached = Literal["nothing", "reasoning", "text", "arguments"]

# How long a key rests, in seconds: one that is not accepted or has no money left, one that may not
# do this, and one that was asked too often by a provider that does not say when to come back.
NO_ACCESS = 3_600.0
NO_PERMISSION = 600.0
TOO_OFTEN = 5.0


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
    match _judge(error, now):
        case AskWhole() if reached != "nothing":
            # It streamed already, so streaming is not what is wrong.
            return GiveUp()
        case Shorten() if reached in ("text", "arguments"):
            # A prompt that was read to its end is not too long.
            return GiveUp()
        case verdict:
            return verdict


def _judge(error: UpstreamError, now: float) -> Verdict:
    match error:
        case UpstreamOverflow():
            return Shorten(error.limit)
        case UpstreamUnusable():
            return FallBack()
        case UpstreamUnreachable() | UpstreamStalled() | UpstreamGarbled():
            return AskAgain()
        case _:
            return _of_refusal(error, now)


def _of_refusal(error: UpstreamError, now: float) -> Verdict:
    words = f"{error.their_type or ''} {error.their_code or ''} {error.message}".lower()
    if error.status in (401, 402, 403):
        return _of_access(error.status, words)
    if overflow.is_overflow(words, error.status):
        return Shorten(error.limit or overflow.limit(words))
    if error.status in (None, 400, 422, 429, 501):
        special = _of_words(error, words, now)
        if special is not None:
            return special
    if error.status is None:
        return _of_reason(error, now)
    return _of_status(error, error.status, now)


# ── by status ───────────────────────────────────────────────────────────────────────────────

# 424 and 499 are what gateways say of a model behind them that failed or left.
_PASSING = frozenset({408, 409, 424, 425, 499})


def _of_access(status: int, words: str) -> Verdict:
    if status == 403 and _POLICY.search(words):
        return GiveUp()
    short = status == 403 and not _NO_MONEY.search(words)
    return RotateKey(NO_PERMISSION if short else NO_ACCESS)


def _of_status(error: UpstreamError, status: int, now: float) -> Verdict:
    if status == 429:
        return _too_often(error, now)
    if status in _PASSING or 500 <= status <= 599:
        return AskAgain(_pause(error, now))
    if status in (400, 422):
        return GiveUp()
    # Redirects, 404, 405, 410 and whatever nobody has heard of are matters of this endpoint.
    return FallBack()


def _too_often(error: UpstreamError, now: float) -> RotateKey:
    wish = _pause(error, now)
    if wish is None:
        wish = wishes.limit_reset(error.headers, now)
    return RotateKey(TOO_OFTEN if wish is None else wish)


def _pause(error: UpstreamError, now: float) -> float | None:
    wish = wishes.retry_after(error.headers, now)
    return wishes.in_words(error.message) if wish is None else wish


# ── by words ────────────────────────────────────────────────────────────────────────────────

_STREAMING = re.compile(r"\bstream(?:ing|ed)?(?![a-z])")
_NOT_OFFERED = re.compile(
    r"n(?:o|')t[ _](?:\w+ )?support|unsupported|not (?:allowed|enabled|implemented|permitted)"
    r"|streaming (?:is )?not available|disabled|must be false|verified to stream|unrecognized"
)
# A model that came to grief, or wrote a call that its server could not read: it may do better.
_BROKE_DOWN = re.compile(r"tool_use_failed|model (?:has )?(?:crashed|unloaded)|throttling")
# What another model, or the same one elsewhere, may take.
_NOT_HERE = re.compile(
    r"not support (?:tool|function)|tool choice requires|location is not supported"
    r"|missing a thought_signature"
)
_NO_MONEY = re.compile(
    r"quota|billing|credit balance|insufficient[ _](?:credit|fund|balance)|(?:no|more|out of|usage)"
    r" credits?|payment[ _]required|spending limit|api usage limit"
)
# A used-up account, whatever else is said; other words are also used for limits that pass soon.
_SURELY_NO_MONEY = re.compile(r"insufficient_quota|billing_hard_limit|billing_not_active")
_NO_KEY = re.compile(
    r"authenticat|unauthori[sz]ed|(?:invalid|incorrect|expired|missing)[ _](?:x-)?api[ _-]?key"
    r"|api[ _]key (?:is )?(?:not valid|invalid|expired|missing)"
)
_NO_MODEL = re.compile(
    r"model[ _](?:is )?not[ _](?:found|exist|available|supported)|model_decommissioned"
    r"|not a valid model|(?:unknown|unsupported) model\b|invalid model(?: name| id|:|$)"
    r"|no endpoints found"
    r"|models?\b.{0,80}(?:does not exist|doesn't exist|not (?:be )?found|decommissioned"
    r"|no longer (?:available|supported))"
)
_POLICY = re.compile(
    r"policy|content[ _](?:filter|management)|moderat|flagged|safety|jailbreak|harmful|prohibited"
)
_FORBIDDEN = re.compile(r"permission|forbidden|access denied")
_TOO_OFTEN = re.compile(
    r"rate[ _-]?limit|too[ _]many[ _](?:requests|tokens)|resource[ _]exhausted|throttl"
)
# Asked before the passing ones: "invalid timeout" is not a timeout.
_WRONG = re.compile(r"invalid|unsupported|not[ _]supported|bad[ _]request|too[ _]large|malformed")
_PASSES = re.compile(
    r"overload|time[d]?[ _-]?out|server[ _]error|internal|api_error|unavailable|had an error"
    r"|connection|network|disconnect|reset by peer|closed unexpectedly|incomplete chunked read"
    r"|broken pipe|try again|capacity|deadline_exceeded"
)


def _of_words(error: UpstreamError, words: str, now: float) -> Verdict | None:
    """What refusals of one status, or of none, are told apart by."""
    if error.status != 429 and error.streamed and _is_about_streaming(words):
        return AskWhole()
    if error.status == 501:
        return None
    if _NO_MONEY.search(words):
        return _out_of_money(error, words, now)
    if error.status == 429:
        return None
    if _NO_KEY.search(words):
        return RotateKey(NO_ACCESS)
    if _BROKE_DOWN.search(words):
        return AskAgain(_pause(error, now))
    return FallBack() if _NO_MODEL.search(words) or _NOT_HERE.search(words) else None


def _is_about_streaming(words: str) -> bool:
    return bool(_STREAMING.search(words) and _NOT_OFFERED.search(words))


def _out_of_money(error: UpstreamError, words: str, now: float) -> RotateKey:
    """A quota that names the seconds until it is refilled is one per minute."""
    wish = None if _SURELY_NO_MONEY.search(words) else _pause(error, now)
    return RotateKey(NO_ACCESS if wish is None else wish)


def _of_reason(error: UpstreamError, now: float) -> Verdict:
    """An error without a status. Its type and code go before its message.

    What no word explains is asked again: the request was accepted before it failed.
    """
    named = f"{error.their_type or ''} {error.their_code or ''}".lower()
    for words in (named, error.message.lower()):
        verdict = _of_one(words, error, now)
        if verdict is not None:
            return verdict
    return AskAgain()


def _of_one(words: str, error: UpstreamError, now: float) -> Verdict | None:
    if _POLICY.search(words):
        return GiveUp()
    if _FORBIDDEN.search(words):
        return RotateKey(NO_PERMISSION)
    if _TOO_OFTEN.search(words):
        return _too_often(error, now)
    if re.search(r"not[ _]found", words):
        return FallBack()
    if _WRONG.search(words):
        return GiveUp()
    return AskAgain(_pause(error, now)) if _PASSES.search(words) else None
