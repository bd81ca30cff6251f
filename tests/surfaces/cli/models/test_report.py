import io

import pytest
from rich.console import Console

from angelia.core.prices import Price
from angelia.surfaces.cli.local import Found
from angelia.surfaces.cli.models.report import Listed, Report, State, print_report
from angelia.wire.offers import Offer


def listed(state: State, message: str = "") -> Listed:
    return Listed(
        name="fast",
        model="m",
        provider="box",
        address="http://box/v1",
        protocol="chat",
        agents=("angelia", "scout"),
        context_tokens=1000,
        price=Price(1, 2.5),
        state=state,
        seconds=0.5 if state in ("ready", "unlisted") else None,
        message=message,
    )


def text(report: Report) -> str:
    out = io.StringIO()
    print_report(Console(file=out, width=200), report)
    return out.getvalue()


@pytest.mark.parametrize(
    ("state", "message", "words"),
    [
        ("ready", "", "box answers in 0.50 s"),
        ("unlisted", "", "box answers in 0.50 s, and does not list this model"),
        ("refused", "Wrong key.", "box refuses: Wrong key."),
        ("silent", "Nobody is there.", "Nobody is there."),
        ("unasked", "", "not asked"),
    ],
)
def test_every_state_is_told_in_words(state: State, message: str, words: str) -> None:
    shown = text(Report(True, False, (listed(state, message),), ()))
    assert words in shown
    assert "m at http://box/v1" in shown
    assert "reads 1,000 tokens, 1 in, 2.5 out per million" in shown
    assert "asked by angelia, scout" in shown


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (Report(True, True, (), ()), "The demo model answers."),
        (Report(False, False, (listed("silent"),), ()), "No model of the default agent answers."),
        (Report(True, False, (listed("ready"),), ()), "has a model that answers."),
        (Report(True, False, (listed("unasked"),), ()), "Nobody was asked."),
    ],
)
def test_the_last_line_says_how_it_stands(report: Report, words: str) -> None:
    assert words in text(report).splitlines()[-1]


def test_what_was_found_is_shown_with_some_of_its_models() -> None:
    many = tuple(Offer(f"m{number}") for number in range(10))
    found = (
        Found("ollama", "Ollama", "http://127.0.0.1:11434/v1", many),
        Found("vllm", "vLLM", "http://127.0.0.1:8000/v1", ()),
    )
    shown = text(Report(True, True, (), found))
    assert "m7 and 2 more" in shown
    assert "no models" in shown
