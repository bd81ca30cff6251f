"""The page about performance and its picture, from what was measured."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from bench import picture, tables
from bench.outcome import Outcome

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "performance.md"
PICTURE = DOCS / "images" / "performance.svg"
START = "<!-- measured: start -->"
END = "<!-- measured: end -->"


def written(page: str, figures: str) -> str:
    """The page with its measured part replaced, and every other word as it was."""
    head, _, rest = page.partition(START)
    _, _, tail = rest.partition(END)
    return f"{head}{START}\n\n{figures}\n{END}{tail}"


def measured(outcome: Outcome) -> str:
    return "\n".join(line for section in _sections(outcome) for line in section)


def _sections(outcome: Outcome) -> Iterator[Sequence[str]]:
    machine = outcome.machine
    where = f"{machine.cores} cores, Python {machine.python}, SQLite {machine.sqlite}"
    yield [f"{where}. Medians of the rounds of one run of the benchmark.", ""]
    yield ["![Charts of the figures below](images/performance.svg)", ""]
    yield list(tables.targets(outcome))
    yield list(tables.streams(outcome))
    yield list(tables.growth(outcome))
    yield list(tables.starts(outcome))
    yield list(tables.peers(outcome))


def main(kept: Path) -> int:
    if not kept.exists():
        print(f"There is no {kept}; run `make bench` first.", file=sys.stderr)
        return 1
    outcome = msgspec.json.decode(kept.read_bytes(), type=Outcome)
    PAGE.write_text(written(PAGE.read_text(), measured(outcome)))
    PICTURE.write_text(picture.draw(outcome))
    return 0
