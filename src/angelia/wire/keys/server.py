"""What was used, as the API shows it."""

from msgspec.structs import asdict

from angelia.core import days
from angelia.core.latency import Spread
from angelia.core.messages import Usage
from angelia.wire.keys.shapes import AmountsOut, LatencyOut, SpreadOut, UsageLineOut

# Sums of floats have a tail that nobody means.
_DIGITS = 10
# Buckets are wider than this by far.
_SECONDS_DIGITS = 6


def amounts(
    *, runs: int, failed: int, calls: int, usage: Usage, cost: float, latency: LatencyOut
) -> AmountsOut:
    return AmountsOut(
        runs=runs,
        failed_runs=failed,
        model_calls=calls,
        input_tokens=usage.input,
        output_tokens=usage.output,
        total_tokens=usage.total,
        cached_tokens=usage.cached,
        cache_write_tokens=usage.cache_written,
        reasoning_tokens=usage.reasoning,
        cost=round(cost, _DIGITS),
        latency=latency,
    )


def latency(run: Spread | None, call: Spread | None, first: Spread | None) -> LatencyOut:
    return LatencyOut(_spread(run), _spread(call), _spread(first))


def _spread(given: Spread | None) -> SpreadOut | None:
    if given is None:
        return None
    p50, p95 = (round(seconds, _SECONDS_DIGITS) for seconds in (given.p50, given.p95))
    return SpreadOut(given.count, p50, p95)


def line(
    used: AmountsOut,
    *,
    day: int | None,
    model: str | None,
    key: str | None,
    key_name: str | None,
) -> UsageLineOut:
    """None is what `used` was added up over."""
    return UsageLineOut(
        **asdict(used),
        day=None if day is None else days.iso(day),
        model=model,
        key=key,
        key_name=key_name,
    )
