"""What was measured, as tables in Markdown."""

from collections.abc import Iterator, Sequence

from bench.goals import Medians, ratio
from bench.measure import Figures
from bench.outcome import Outcome
from bench.scenarios import OURS, PEERS, Scenario

Rows = Sequence[Sequence[str]]


def table(heads: Sequence[str], rows: Rows) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def targets(outcome: Outcome) -> Iterator[str]:
    yield "### Targets"
    yield ""
    rows = [[v.mark, v.what, v.wanted, v.found, v.spread] for v in outcome.verdicts]
    yield from table(("", "what", "wanted", "measured", "over the rounds"), rows)


def streams(outcome: Outcome) -> Iterator[str]:
    yield "### Streams"
    yield ""
    yield "Each cell: the relay where it takes part · the floor · **Angelia**."
    yield ""
    shown = [s for s in outcome.scenarios.values() if not set(s.servers) & set(PEERS)]
    heads = ("CPU per run, ms", "to the floor", "CPU per delta, µs", "RSS peak, MB")
    yield from table(("scenario", "streams × pace", *heads), [_cost(outcome, s) for s in shown])
    heads = ("first delta over the upstream's own, ms", "lag p50, ms", "lag p99, ms")
    more = ("health check p99, ms", "upstream late p99, ms")
    yield from table(("scenario", *heads, *more), [_speed(outcome, s) for s in shown])


def _cost(outcome: Outcome, scenario: Scenario) -> list[str]:
    medians = outcome.medians[scenario.name]
    return [
        f"`{scenario.name}`",
        f"{scenario.streams:,} × {_pace(scenario)}",
        _side_by_side(medians, "cpu_ms_per_run"),
        _times(ratio(medians, "cpu_ms_per_run", "angelia", "floor")),
        _side_by_side(medians, "cpu_us_per_delta"),
        _side_by_side(medians, "rss_mb"),
    ]


def _speed(outcome: Outcome, scenario: Scenario) -> list[str]:
    medians = outcome.medians[scenario.name]
    return [
        f"`{scenario.name}`",
        _side_by_side(medians, "first_ms", less=outcome.first_of_upstream[scenario.name]),
        _side_by_side(medians, "lag_p50_ms"),
        _side_by_side(medians, "lag_p99_ms"),
        _side_by_side(medians, "health_p99_ms") if scenario.probed else "–",
        _side_by_side(medians, "late_p99_ms") if scenario.pace else "–",
    ]


def _pace(scenario: Scenario) -> str:
    return f"{scenario.pace}/s" if scenario.pace else "burst"


def _side_by_side(medians: Medians, field: str, less: float = 0.0) -> str:
    numbers = {name: _number(getattr(found, field) - less) for name, found in medians.items()}
    return " · ".join(f"**{n}**" if name == "angelia" else n for name, n in numbers.items())


def _number(value: float) -> str:
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _times(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f} ×"


def growth(outcome: Outcome) -> Iterator[str]:
    yield "### Long runs and long sessions"
    yield ""
    rows = [[f"{p.size:,}", _number(p.cpu)] for p in outcome.lengths]
    yield from table(("deltas in a run", "CPU per delta, µs"), rows)
    rows = [[f"{p.size}", _number(p.cpu), f"{p.sent:,.0f}"] for p in outcome.turns]
    yield from table(("turn", "CPU per turn, ms", "tokens that the model is sent"), rows)
    if outcome.replay_per_s:
        yield f"Replay of a finished run, one reader: {outcome.replay_per_s:,.0f} events/s."
        yield ""


def starts(outcome: Outcome) -> Iterator[str]:
    yield "### Start"
    yield ""
    rows = [[name, f"{s.ready_s:.2f}", f"{s.idle_mb:.0f}"] for name, s in outcome.starts.items()]
    yield from table(("server", "start to ready, s", "idle RSS, MB"), rows)


def peers(outcome: Outcome) -> Iterator[str]:
    """Nothing, where nobody was asked for."""
    scenarios = [s for s in outcome.scenarios.values() if set(s.servers) & set(PEERS)]
    if not scenarios and not outcome.absent:
        return
    yield "### Beside others"
    yield ""
    heads = ("server", "CPU per run, ms", "to the floor", "first delta, ms", "lag p99, ms")
    for scenario in scenarios:
        yield f"`{scenario.name}`: {_words(scenario)}"
        yield ""
        rows = [_peer(outcome, scenario, name) for name in scenario.servers]
        yield from table((*heads, "RSS, MB", "faults"), rows)
    for name, reason in outcome.absent.items():
        yield f"Absent: {name}, {reason.splitlines()[0]}."
    yield ""


def _words(scenario: Scenario) -> str:
    how = f"at {scenario.pace} deltas per second" if scenario.pace else "as fast as they come"
    tool = "one tool round" if scenario.tools else "no tool"
    return f"{scenario.streams} stream(s), {tool}, {scenario.deltas} deltas {how}."


def _peer(outcome: Outcome, scenario: Scenario, name: str) -> list[str]:
    medians = outcome.medians[scenario.name]
    found = medians.get(name)
    shown = f"**{name}**" if name in OURS else name
    if found is None:
        return [shown, *["–"] * 5, _faults(outcome, scenario, name) or "absent"]
    times = _times(ratio(medians, "cpu_ms_per_run", name, "floor"))
    return [shown, *_peer_figures(found, times), _faults(outcome, scenario, name) or "none"]


def _peer_figures(found: Figures, times: str) -> list[str]:
    numbers = [found.first_ms, found.lag_p99_ms, found.rss_mb]
    return [_number(found.cpu_ms_per_run), times, *map(_number, numbers)]


def _faults(outcome: Outcome, scenario: Scenario, name: str) -> str:
    """How many, and the first of them."""
    mine = (s for s in outcome.samples if (s.scenario, s.target) == (scenario.name, name))
    faults = [fault for sample in mine for fault in sample.faults]
    return f"{len(faults)}: {faults[0].splitlines()[0][:80]}" if faults else ""
