import io

from msgspec import json
from rich.console import Console

from angelia.surfaces.cli.doctor.check import Check
from angelia.surfaces.cli.doctor.entries import Row
from angelia.surfaces.cli.doctor.report import (
    Diagnosis,
    Health,
    Seen,
    as_json,
    print_diagnosis,
    print_health,
)
from angelia.surfaces.cli.doctor.shown import (
    Card,
    Errand,
    Said,
    Shown,
    Thought,
    Tokens,
    Trouble,
)
from angelia.surfaces.cli.doctor.verdict import Verdict

PIECES = (
    Thought("hm"),
    Said("long " * 200),
    Card("💻 [red]ls[/red]", ("running", "error")),
    Errand("weather", '{"city": "Delphi"}'),
    Trouble("no\x1b[2J luck"),
)
SHOWN = Shown(PIECES, Tokens(1, 2), "stop")
ROWS = (Row("URL", "http://127.0.0.1:8642/v1", "why"), Row("key", "/very/long" * 12))


def diagnosis(*problems: str) -> Diagnosis:
    seen = Seen("chat", "carrier", SHOWN, Verdict(("a warning",), problems))
    return Diagnosis("openai", "openai SDK", "run_1", not problems, (seen,), ROWS)


def printed(found: Diagnosis | Health) -> str:
    out = io.StringIO()
    console = Console(file=out, highlight=False, emoji=False, width=80)
    if isinstance(found, Health):
        print_health(console, found)
    else:
        print_diagnosis(console, found)
    return out.getvalue()


def test_everything_that_is_shown_is_in_the_report_in_order():
    text = printed(diagnosis())
    marks = [
        "hm",
        "long long",
        "[red]ls[/red]: running → error",
        "weather",
        "no luck",
        "1 in, 2 out",
    ]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    assert "a warning" in text
    assert "✓ openai SDK shows the whole answer." in text


def test_a_problem_is_in_the_report_and_decides_the_verdict():
    text = printed(diagnosis("something is lost"))
    assert "✗  wrong  something is lost" in text
    assert "✗ openai SDK does not show what happened" in text


def test_nothing_is_wider_than_the_page_but_what_is_to_be_copied():
    lines = printed(diagnosis()).splitlines()
    assert [line for line in lines if len(line) > 80] == [f"  key  {'/very/long' * 12}"]


def test_nothing_reaches_a_terminal_that_it_would_obey():
    assert "\x1b" not in printed(diagnosis())


def test_health_names_what_is_broken_and_the_way_out():
    checks = (
        Check("home", "ok", "/h"),
        Check("key", "broken", "others may read it", "chmod 600 k"),
    )
    text = printed(Health(False, checks))
    assert "→ chmod 600 k" in text
    assert "✗ broken: key" in text
    assert "All in order" in printed(Health(True, checks[:1]))


def test_programs_get_the_same_as_json():
    found = json.decode(as_json(diagnosis("lost")))
    assert found["ok"] is False
    assert found["seen"][0]["shown"]["pieces"][2]["states"] == ["running", "error"]
    assert found["seen"][0]["verdict"] == {"warnings": ["a warning"], "problems": ["lost"]}
    assert found["settings"][0]["name"] == "URL"
