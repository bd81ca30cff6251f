"""What was used, as the API shows it."""

from msgspec.structs import asdict

from angelia.core import days
from angelia.core.messages import Usage
from angelia.wire.keys.shapes import AmountsOut, UsageLineOut

# Sums of floats have a tail that nobody means.
_DIGITS = 10


def amounts(*, runs: int, failed: int, calls: int, usage: Usage, cost: float) -> AmountsOut:
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
    )


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
