"""Writes docs/reliability.md from what the last chaos run recorded."""

import platform
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from tests.chaos.ledger import Entry, entries

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
START = "<!-- measured: start -->"
END = "<!-- measured: end -->"


def section(scenario: str, found: Sequence[Entry]) -> Iterator[str]:
    yield f"### {scenario.replace('_', ' ').capitalize()}"
    yield ""
    yield "| test | counted |"
    yield "|---|---|"
    for entry in found:
        sentence = entry.test.removeprefix("test_").replace("_", " ")
        counts = [f"{what}: **{number:,}**" for what, number in entry.counts.items()]
        notes = [f"{what}: {value}" for what, value in entry.notes.items()]
        yield f"| {sentence} | {'; '.join(counts + notes)} |"
    yield ""


def measured(found: Sequence[Entry]) -> str:
    form = "long" if all(entry.long for entry in found) else "short"
    python = platform.python_version()
    lines = [f"The {form} form, {len(found)} tests, Python {python}, two cores.", ""]
    for scenario, group in groupby(found, key=lambda entry: entry.scenario):
        lines += section(scenario, list(group))
    return "\n".join(lines)


def written(page: str, figures: str) -> str:
    """The page with its measured part replaced, and every other word as it was."""
    head, _, rest = page.partition(START)
    _, _, tail = rest.partition(END)
    return f"{head}{START}\n\n{figures}\n{END}{tail}"


def main() -> int:
    found = entries()
    if not found:
        print("Nothing was recorded; run `make chaos` first.", file=sys.stderr)
        return 1
    PAGE.write_text(written(PAGE.read_text(), measured(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
