"""A little SVG: texts, bars, lines and scales, in colours for light and dark pages."""

import math
from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape

import msgspec

Scale = Callable[[float], float]
"""From a value to a place on the picture."""

STYLE = """
svg { --paper: #ffffff; --ink: #1f2328; --soft: #59636e; --grid: #d8dee4; --goal: #1a7f37;
      --relay: #8c959f; --floor: #0969da; --angelia: #bc4c00; --other: #8250df; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --grid: #30363d; --goal: #3fb950;
        --relay: #9198a1; --floor: #58a6ff; --angelia: #f0883e; --other: #bc8cff; }
}
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--ink); }
.title { font-size: 14px; font-weight: 600; }
.soft { fill: var(--soft); }
.on { fill: var(--paper); font-weight: 600; }
.grid { stroke: var(--grid); stroke-width: 1; }
.goal { stroke: var(--goal); stroke-width: 2; stroke-dasharray: 4 3; }
""".strip()


class Box(msgspec.Struct, frozen=True):
    """A part of the picture."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


def document(width: int, height: int, label: str, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{escape(label)}">'
    )
    paper = f'<rect width="{width}" height="{height}" rx="8" fill="var(--paper)"/>'
    return "\n".join([head, f"<style>\n{STYLE}\n</style>", paper, *parts, "</svg>", ""])


def text(x: float, y: float, words: str, *, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def bar(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{max(height, 1):.1f}" '
        f'rx="2" fill="var(--{colour})"/>'
    )


def rule(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def curve(points: Sequence[tuple[float, float]], colour: str) -> Iterator[str]:
    """A line with a dot at each point."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{path}" fill="none" stroke="var(--{colour})" stroke-width="2"/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="var(--{colour})"/>'


def linear(low: float, high: float, begin: float, end: float) -> Scale:
    return lambda value: begin + (value - low) / (high - low) * (end - begin)


def logarithmic(low: float, high: float, begin: float, end: float) -> Scale:
    inner = linear(math.log10(low), math.log10(high), begin, end)
    return lambda value: inner(math.log10(max(value, low)))


def decades(low: float, high: float) -> list[float]:
    """Powers of ten around everything from low to high."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]


def steps(high: float) -> list[float]:
    """Four or five round numbers from 0 to at least `high`."""
    rough = high / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * times for times in (1, 2, 2.5, 5, 10) if unit * times >= rough)
    return [step * number for number in range(math.ceil(high / step) + 1)]
