"""The page holds what was measured, and the picture can be read by anybody who reads SVG."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench import page, picture, svg
from bench.goals import Verdict
from bench.measure import Figures, Sample
from bench.outcome import Outcome, Point, Start
from bench.scenarios import CHOSEN, Scenario, peers

BOTH = "10.0 · **15.0**"


def figures(value: float) -> Figures:
    return Figures(*[value] * len(Figures.__struct_fields__))


def outcome() -> Outcome:
    """Made up: the floor always 10, Angelia 15, and a peer that fails."""
    found = Outcome(
        scenarios={s.name: s for s in (*CHOSEN, *peers())},
        first_of_upstream={s.name: 1.0 for s in (*CHOSEN, *peers())},
        lengths=[Point(2_000, 11.0)],
        turns=[Point(20, 3.5, 4_000), Point(40, 4.5, 5_000)],
        replay_per_s=212_345.6,
        starts={"angelia": Start(0.61, 51.2)},
        verdicts=[Verdict("replay", "at least", 200_000.0, 212_345.6, "events/s")],
        samples=[Sample("agents-paced-50", "hermes", None, ("HTTP status 429", "HTTP status 429"))],
        absent={"litellm": "not installed; make bench PEERS=1 does that"},
    )
    for scenario in found.scenarios.values():
        found.medians[scenario.name] = _medians(scenario)
    return found


def _medians(scenario: Scenario) -> dict[str, Figures]:
    values = {"floor": 10.0, "angelia": 15.0, "openai-agents": 70.0}
    return {name: figures(values[name]) for name in scenario.servers if name in values}


@pytest.mark.parametrize(
    "line",
    [
        "| ✓ | replay | at least 200,000 events/s | 212,346 events/s |  |",
        f"| `chat-paced-1000` | 1,000 × 10/s | {BOTH} | 1.50 × | {BOTH} | {BOTH} |",
        f"| `runs-burst-1` | 9.00 · **14.0** | {BOTH} | {BOTH} | – | – |",
        "| 2,000 | 11.0 |",
        "| 40 | 4.50 | 5,000 |",
        "| angelia | 0.61 | 51 |",
        "| openai-agents | 70.0 | 7.00 × | 70.0 | 70.0 | 70.0 | none |",
        "| hermes | – | – | – | – | – | 2: HTTP status 429 |",
        "Absent: litellm, not installed; make bench PEERS=1 does that.",
    ],
)
def test_every_figure_stands_in_its_table(line: str) -> None:
    assert line in page.measured(outcome()).splitlines()


def test_only_the_measured_part_of_the_page_is_replaced() -> None:
    text = f"head\n{page.START}\nold\n{page.END}\ntail\n"
    assert page.written(text, "new") == f"head\n{page.START}\n\nnew\n{page.END}\ntail\n"


def test_the_page_has_a_place_for_what_is_measured() -> None:
    text = page.PAGE.read_text()
    assert text.count(page.START) == text.count(page.END) == 1


def test_without_a_measurement_the_page_stays_as_it_is(tmp_path: Path) -> None:
    before = page.PAGE.read_text()
    assert page.main(tmp_path / "nothing.json") == 1
    assert page.PAGE.read_text() == before


def words(drawn: str) -> list[str]:
    root = ElementTree.fromstring(drawn)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_shows_ratios_and_others() -> None:
    found = words(picture.draw(outcome()))
    assert found.count("1.50") == 8
    assert {"openai-agents", "70.0"} <= set(found)
    assert "not measured" not in found


def test_a_picture_of_nothing_says_so() -> None:
    assert words(picture.draw(Outcome())).count("not measured") == 4


@pytest.mark.parametrize(("high", "marks"), [(2.4, [0, 1, 2, 3]), (17, [0, 5, 10, 15, 20])])
def test_scales_have_round_numbers(high: float, marks: list[float]) -> None:
    assert svg.steps(high) == marks


def test_decades_hold_everything_between_them() -> None:
    assert svg.decades(0.3, 45) == pytest.approx([0.1, 1, 10, 100])
