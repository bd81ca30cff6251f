"""Tables of medians with their ratios, and the targets with their marks."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench.goals import Medians, Verdict, ratio
from bench.scenarios import Scenario

ROWS = {
    "cpu_ms_per_run": "CPU per run, ms",
    "cpu_us_per_delta": "CPU per delta, µs",
    "first_ms": "time to first delta p50, ms",
    "lag_p50_ms": "lag p50, ms",
    "lag_p99_ms": "lag p99, ms",
    "late_p99_ms": "upstream behind its pace p99, ms",
    "health_p99_ms": "GET /health p99, ms",
    "rss_mb": "RSS peak, MB",
    "runs_per_s": "runs per second",
    "busy": "cores busy: server, upstream, client",
    "upstream_ms_per_run": "CPU of the upstream per run, ms",
    "client_ms_per_run": "CPU of the client per run, ms",
}
# More servers than that, and a table holds ratios to one of them only.
WIDE = 3


def print_scenario(console: Console, scenario: Scenario, medians: Medians) -> None:
    measures = ("relay", "floor") if len(medians) <= WIDE else ("floor",)
    pairs = [(of, to) for to in measures for of in medians if _comparable(of, to, medians)]
    table = Table(title=_title(scenario), title_justify="left")
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


def print_verdicts(console: Console, found: Sequence[Verdict]) -> None:
    for verdict in found:
        colour = {"✓": "green", "✗": "red"}.get(verdict.mark, "yellow")
        line = f"{verdict.mark} {verdict.what}: {verdict.found} ({verdict.wanted})"
        console.print(line, style=colour, highlight=False)
        if verdict.spread:
            console.print(f"    over the rounds: {verdict.spread}", highlight=False)


def _comparable(of: str, to: str, medians: Medians) -> bool:
    order = list(medians)
    return to in medians and order.index(of) > order.index(to)


def _title(scenario: Scenario) -> str:
    pace = f"{scenario.pace} per second" if scenario.pace else "as fast as they come"
    return (
        f"{scenario.name}: {scenario.streams} stream(s) × {scenario.runs} run(s), "
        f"{scenario.deltas} delta(s) each, {pace}, {scenario.rounds} round(s)"
    )


def _times(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f} ×"
