"""The picture on the page about performance: four charts of one run of the benchmark."""

from collections.abc import Iterator, Mapping, Sequence

from bench import svg
from bench.goals import GOALS
from bench.outcome import Outcome
from bench.scenarios import PEERS, STREAMS

WIDTH, HEIGHT = 960, 660
LEGEND = {"angelia": "Angelia, with its log", "floor": "floor, without one", "relay": "relay"}
COMPARED = "agents-paced-50"
Points = Sequence[tuple[float, float]]


def draw(outcome: Outcome) -> str:
    parts = [
        *_legend(24, 30),
        *_ratios(svg.Box(24, 60, 440, 260), outcome),
        *_lags(svg.Box(500, 60, 436, 260), outcome),
        *_turns(svg.Box(24, 370, 440, 260), outcome),
        *_peers(svg.Box(500, 370, 436, 260), outcome),
    ]
    return svg.document(WIDTH, HEIGHT, "What Angelia costs, measured", parts)


def _legend(x: float, y: float) -> Iterator[str]:
    for name, words in LEGEND.items():
        yield svg.bar(x, y - 10, 12, 12, name)
        yield svg.text(x + 18, y, words)
        x += 40 + 7 * len(words)
    yield svg.rule(x, y - 4, x + 18, y - 4, "goal")
    yield svg.text(x + 24, y, "target, at most")


def _inner(box: svg.Box) -> svg.Box:
    """Where the curves are: what titles and scales leave of a box."""
    return svg.Box(box.left + 44, box.top + 36, box.width - 54, box.height - 62)


def _frame(box: svg.Box, title: str, unit: str) -> Iterator[str]:
    yield svg.text(box.left, box.top + 8, title, kind="title")
    yield svg.text(box.left, box.top + 25, unit, kind="soft")


def _nothing(box: svg.Box) -> Iterator[str]:
    yield svg.text(box.left + 44, box.top + 90, "not measured", kind="soft")


def _across(area: svg.Box, marks: Sequence[float], scale: svg.Scale) -> Iterator[str]:
    """Lines from left to right, each with its number."""
    for mark in marks:
        yield svg.rule(area.left, scale(mark), area.right, scale(mark), "grid")
        number = svg.text(area.left - 6, scale(mark) + 4, f"{mark:g}", anchor="end", kind="soft")
        yield number


# ── CPU as a multiple of the floor's ────────────────────────────────────────────────────────


def _ratios(box: svg.Box, outcome: Outcome) -> Iterator[str]:
    yield from _frame(box, "CPU per run", "times the floor's; streams below, one tool round each")
    found = {
        (mode, streams): ratio
        for mode in ("burst", "paced")
        for streams in STREAMS
        if (ratio := _ratio(outcome, f"chat-{mode}-{streams}")) is not None
    }
    if not found:
        yield from _nothing(box)
        return
    area = _inner(box)
    marks = svg.steps(max(2.0, *found.values()))
    scale = svg.linear(0, marks[-1], area.bottom, area.top)
    yield from _across(area, marks, scale)
    width = area.width / len(found)
    for place, ((mode, streams), ratio) in enumerate(found.items()):
        slot = svg.Box(area.left + place * width, area.top, width, area.height)
        yield from _ratio_bar(slot, scale, ratio, f"chat-{mode}-{streams}")
        middle = slot.left + width / 2
        yield svg.text(middle, area.bottom + 14, f"{streams:,}", anchor="middle")
        yield svg.text(middle, area.bottom + 27, mode, anchor="middle", kind="soft")


def _ratio_bar(slot: svg.Box, scale: svg.Scale, ratio: float, scenario: str) -> Iterator[str]:
    top = scale(ratio)
    yield svg.bar(slot.left + 8, top, slot.width - 16, slot.bottom - top, "angelia")
    yield svg.text(
        slot.left + slot.width / 2, slot.bottom - 8, f"{ratio:.2f}", anchor="middle", kind="on"
    )
    for goal in GOALS:
        if (goal.scenario, goal.field) == (scenario, "cpu_ms_per_run"):
            line = scale(goal.limit)
            yield svg.rule(slot.left + 2, line, slot.right - 2, line, "goal")


def _ratio(outcome: Outcome, scenario: str) -> float | None:
    medians = outcome.medians.get(scenario, {})
    if "angelia" not in medians or "floor" not in medians:
        return None
    return medians["angelia"].cpu_ms_per_run / medians["floor"].cpu_ms_per_run


# ── lag ─────────────────────────────────────────────────────────────────────────────────────


def _lags(box: svg.Box, outcome: Outcome) -> Iterator[str]:
    yield from _frame(box, "Lag of a delta, p99", "ms, at the pace of a model; streams below")
    series = {name: _lag(outcome, name) for name in ("relay", "floor", "angelia")}
    values = [y for points in series.values() for _, y in points if y > 0]
    if not values:
        yield from _nothing(box)
        return
    area = _inner(box)
    marks = svg.decades(min(values), max(values))
    scale = svg.logarithmic(marks[0], marks[-1], area.bottom, area.top)
    yield from _across(area, marks, scale)
    along = svg.linear(0, len(STREAMS) - 1, area.left + 24, area.right - 24)
    for place, streams in enumerate(STREAMS):
        yield svg.text(along(place), area.bottom + 16, f"{streams:,}", anchor="middle")
    for name, points in series.items():
        yield from svg.curve([(along(x), scale(y)) for x, y in points], name)


def _lag(outcome: Outcome, name: str) -> Points:
    found = [
        (place, outcome.medians.get(f"chat-paced-{streams}", {}).get(name))
        for place, streams in enumerate(STREAMS)
    ]
    return [(place, figures.lag_p99_ms) for place, figures in found if figures is not None]


# ── a long session ──────────────────────────────────────────────────────────────────────────


def _turns(box: svg.Box, outcome: Outcome) -> Iterator[str]:
    yield from _frame(box, "A turn of a long session", "CPU in ms; turns that came before, below")
    if not outcome.turns:
        yield from _nothing(box)
        return
    area = _inner(box)
    marks = svg.steps(max(point.cpu for point in outcome.turns))
    scale = svg.linear(0, marks[-1], area.bottom, area.top)
    yield from _across(area, marks, scale)
    along = svg.linear(0, outcome.turns[-1].size, area.left, area.right - 10)
    yield from svg.curve([(along(p.size), scale(p.cpu)) for p in outcome.turns], "angelia")
    for point in outcome.turns[1::2]:
        yield svg.text(along(point.size), area.bottom + 16, f"{point.size}", anchor="middle")


# ── others ──────────────────────────────────────────────────────────────────────────────────


def _peers(box: svg.Box, outcome: Outcome) -> Iterator[str]:
    yield from _frame(
        box, "Beside others", "CPU per run in ms; 50 paced streams, one tool round each"
    )
    found = {
        name: figures.cpu_ms_per_run for name, figures in outcome.medians.get(COMPARED, {}).items()
    }
    if not set(found) & set(PEERS):
        yield from _nothing(box)
        return
    yield from _rows(svg.Box(box.left + 96, box.top + 40, box.width - 160, box.height - 50), found)


def _rows(area: svg.Box, values: Mapping[str, float]) -> Iterator[str]:
    ordered = sorted(values.items(), key=lambda item: item[1])
    scale = svg.linear(0, max(values.values()), area.left, area.right)
    height = area.height / len(ordered)
    for place, (name, value) in enumerate(ordered):
        y = area.top + place * height
        colour = name if name in LEGEND else "other"
        yield svg.text(area.left - 8, y + height / 2 + 2, name, anchor="end")
        yield svg.bar(area.left, y + 4, scale(value) - area.left, height - 12, colour)
        yield svg.text(scale(value) + 6, y + height / 2 + 2, f"{value:,.1f}")
