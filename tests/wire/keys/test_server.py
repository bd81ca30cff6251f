"""What was used, as JSON."""

import msgspec

from angelia.core.latency import Spread
from angelia.core.messages import Usage
from angelia.wire.keys.server import amounts, latency, line
from angelia.wire.keys.shapes import UsageReportOut

USED = amounts(
    runs=2,
    failed=1,
    calls=3,
    usage=Usage(10, 5, cached=4, cache_written=3, reasoning=2),
    cost=0.1 + 0.2,
    latency=latency(None, Spread(3, 1 / 3, 2.0), None),
)


def test_a_line_has_every_amount_and_says_what_it_is_of() -> None:
    shown = line(USED, day=0, model=None, key="key_1", key_name="laptop")
    assert msgspec.to_builtins(shown) == {
        "runs": 2,
        "failed_runs": 1,
        "model_calls": 3,
        "input_tokens": 10,
        "output_tokens": 5,
        "total_tokens": 15,
        "cached_tokens": 4,
        "cache_write_tokens": 3,
        "reasoning_tokens": 2,
        "cost": 0.3,
        "latency": {
            "run": None,
            "call": {"count": 3, "p50": 0.333333, "p95": 2.0},
            "first": None,
        },
        "day": "1970-01-01",
        "model": None,
        "key": "key_1",
        "key_name": "laptop",
    }


def test_a_report_says_from_when_to_when() -> None:
    report = UsageReportOut("2026-01-01", "2026-01-31", ("day",), (), USED)
    shown = msgspec.json.decode(msgspec.json.encode(report))
    assert shown.pop("total") == msgspec.to_builtins(USED)
    assert shown == {
        "object": "hermes.usage",
        "from": "2026-01-01",
        "to": "2026-01-31",
        "group": ["day"],
        "data": [],
    }
