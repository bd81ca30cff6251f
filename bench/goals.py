"""What is wanted, and what was measured against it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from bench.measure import Figures, Sample

Kind = Literal["times", "over", "at most", "at least"]

Medians = Mapping[str, Figures]
"""By server."""


class Goal(msgspec.Struct, frozen=True):
    """A figure of Angelia: so many times the floor's, so much over it, or on its own."""

    scenario: str
    field: str
    kind: Kind
    limit: float


GOALS = (
    Goal("chat-burst-1", "cpu_ms_per_run", "times", 2.0),
    Goal("chat-burst-32", "cpu_ms_per_run", "times", 2.0),
    Goal("chat-burst-1", "first_ms", "over", 5.0),
    *(
        Goal(f"chat-paced-{streams}", field, kind, limit)
        for streams in (200, 1_000)
        for field, kind, limit in (
            ("cpu_ms_per_run", "times", 1.3),
            ("lag_p99_ms", "times", 2.0),
            ("rss_mb", "at most", 300.0),
        )
    ),
)
UNITS = {"cpu_ms_per_run": "ms", "first_ms": "ms", "lag_p99_ms": "ms", "rss_mb": "MB"}
WORDS = {
    "cpu_ms_per_run": "CPU per run",
    "first_ms": "time to first delta",
    "lag_p99_ms": "lag p99",
    "rss_mb": "RSS peak",
}


class Verdict(msgspec.Struct, frozen=True):
    """One goal and what was measured against it; nothing when a side of it is missing."""

    what: str
    kind: Kind
    limit: float
    measured: float | None
    unit: str = ""
    spread: str = ""

    @property
    def mark(self) -> str:
        if self.measured is None:
            return "–"
        kept = (
            self.measured >= self.limit if self.kind == "at least" else self.measured <= self.limit
        )
        return "✓" if kept else "✗"

    @property
    def wanted(self) -> str:
        match self.kind:
            case "times":
                return f"at most {self.limit:g} × the floor"
            case "over":
                return f"at most {self.limit:g} {self.unit} over the floor"
            case "at most" | "at least":
                return f"{self.kind} {self.limit:,g} {self.unit}".strip()

    @property
    def found(self) -> str:
        if self.measured is None:
            return "not measured"
        value = f"{self.measured:,.0f}" if self.measured >= 1_000 else f"{self.measured:.3g}"
        return f"{value} {'×' if self.kind == 'times' else self.unit}".strip()


def ratio(medians: Medians, field: str, of: str, to: str) -> float | None:
    """None when a side was not measured, or is too small to divide by."""
    if of not in medians or to not in medians:
        return None
    divisor = getattr(medians[to], field)
    return getattr(medians[of], field) / divisor if divisor else None


def verdicts(name: str, medians: Medians, samples: Sequence[Sample]) -> Iterator[Verdict]:
    """Of one scenario."""
    for goal in GOALS:
        if goal.scenario == name:
            yield _verdict(goal, medians, samples)
    if name in ("chat-paced-200", "chat-paced-1000"):
        faults = [len(sample.faults) for sample in samples if sample.target == "angelia"]
        what = f"{name}: errors, and deltas lost or out of order"
        yield Verdict(what, "at most", 0, sum(faults) if faults else None)


def _verdict(goal: Goal, medians: Medians, samples: Sequence[Sample]) -> Verdict:
    return Verdict(
        f"{goal.scenario}: {WORDS[goal.field]}",
        goal.kind,
        goal.limit,
        _measured(goal, medians),
        UNITS[goal.field],
        ", ".join(_spread(goal.field, target, samples) for target in ("floor", "angelia")),
    )


def _measured(goal: Goal, medians: Medians) -> float | None:
    if goal.kind == "times":
        return ratio(medians, goal.field, "angelia", "floor")
    if "angelia" not in medians:
        return None
    value = getattr(medians["angelia"], goal.field)
    if goal.kind != "over":
        return value
    return value - getattr(medians["floor"], goal.field) if "floor" in medians else None


def _spread(field: str, target: str, samples: Sequence[Sample]) -> str:
    values = [getattr(s.figures, field) for s in samples if s.target == target and s.figures]
    return f"{target} {min(values):.1f} to {max(values):.1f}" if values else f"{target} –"
