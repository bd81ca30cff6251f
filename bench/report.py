"""Tables of medians with their ratios, and the targets with their marks."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from rich.console import Console
from rich.table import Table

from bench.measure import Figures, Scenario

ROWS = {
    "cpu_ms_per_run": "CPU per run, ms",
    "cpu_us_per_delta": "CPU per delta, µs",
    "first_ms": "time to first delta p50, ms",
    "lag_p50_ms": "lag p50, ms",
    "lag_p99_ms": "lag p99, ms",
    "health_p99_ms": "GET /health p99, ms",
    "rss_mb": "RSS peak, MB",
    "runs_per_s": "runs per second",
    "upstream_ms_per_run": "CPU of the upstream per run, ms",
    "client_ms_per_run": "CPU of the client per run, ms",
}
# What a figure of a scenario may at most be, as a multiple of the floor's.
LIMITS = {
    ("burst-1", "cpu_ms_per_run"): 2.5,
    ("burst-32", "cpu_ms_per_run"): 2.5,
    ("paced", "cpu_ms_per_run"): 2.0,
    ("paced", "lag_p99_ms"): 3.0,
}

Medians = Mapping[str, Figures]
"""By target."""


class Verdict(msgspec.Struct, frozen=True):
    """One target and what was measured against it; no ratio when one side is missing."""

    scenario: str
    what: str
    limit: float
    ratio: float | None
    spread: str = ""

    @property
    def mark(self) -> str:
        if self.ratio is None:
            return "–"
        return "✓" if self.ratio <= self.limit else "✗"


def ratio(medians: Medians, field: str, of: str, to: str) -> float | None:
    """None when a side was not measured, or is too small to divide by."""
    if of not in medians or to not in medians:
        return None
    divisor = getattr(medians[to], field)
    return getattr(medians[of], field) / divisor if divisor else None


def verdicts(
    scenario: Scenario, medians: Medians, rounds: Mapping[str, Sequence[Figures]]
) -> Iterator[Verdict]:
    for (name, field), limit in LIMITS.items():
        if name == scenario.name:
            measured = ratio(medians, field, "angelia", "floor")
            spread = ", ".join(
                _spread(target, [getattr(figures, field) for figures in rounds[target]])
                for target in ("floor", "angelia")
                if target in medians
            )
            yield Verdict(scenario.name, ROWS[field], limit, measured, spread)


def print_scenario(console: Console, scenario: Scenario, medians: Medians, rounds: int) -> None:
    pairs = [
        (of, to) for to in ("relay", "floor") for of in medians if _comparable(of, to, medians)
    ]
    table = Table(title=_title(scenario, rounds), title_justify="left")
    table.add_column("median")
    for heading in (*medians, *(f"{of} / {to}" for of, to in pairs)):
        table.add_column(heading, justify="right")
    for field, label in ROWS.items():
        values = (f"{getattr(figures, field):.2f}" for figures in medians.values())
        ratios = (_times(ratio(medians, field, of, to)) for of, to in pairs)
        table.add_row(label, *values, *ratios)
    console.print()
    console.print(table)


def print_split(console: Console, tool: Medians, burst: Medians, deltas: int) -> None:
    """What the tool round costs, and what each further delta adds to it."""
    for target in burst:
        if target in tool:
            round_ms = tool[target].cpu_ms_per_run
            delta_us = (burst[target].cpu_ms_per_run - round_ms) * 1e3 / (deltas - 1)
            console.print(
                f"{target:>8}: {round_ms:.2f} ms for the tool round and one delta, ", end=""
            )
            console.print(f"{delta_us:.1f} µs for each further delta")


def print_verdicts(console: Console, found: list[Verdict]) -> None:
    for verdict in found:
        colour = {"✓": "green", "✗": "red"}.get(verdict.mark, "yellow")
        measured = _times(verdict.ratio) if verdict.ratio is not None else "not measured"
        line = f"{verdict.mark} {verdict.scenario}, {verdict.what}: {measured}"
        console.print(f"[{colour}]{line} (target: at most {verdict.limit:g} × the floor)[/]")
        console.print(f"    over the rounds: {verdict.spread}", highlight=False)


def _comparable(of: str, to: str, medians: Medians) -> bool:
    order = list(medians)
    return to in medians and order.index(of) > order.index(to)


def _title(scenario: Scenario, rounds: int) -> str:
    return (
        f"{scenario.name}: {scenario.streams} stream(s) × {scenario.runs} run(s), "
        f"{scenario.deltas} delta(s) each, {rounds} round(s)"
    )


def _spread(target: str, values: Sequence[float]) -> str:
    return f"{target} {min(values):.1f} to {max(values):.1f}"


def _times(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f} ×"
