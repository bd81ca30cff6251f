"""What the doctor found, for people and for programs."""

from collections.abc import Sequence
from typing import Literal, assert_never

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from angelia.surfaces.cli.doctor.check import Check
from angelia.surfaces.cli.doctor.entries import Row
from angelia.surfaces.cli.doctor.shown import Card, Errand, Piece, Said, Shown, Thought, Trouble
from angelia.surfaces.cli.doctor.verdict import Verdict
from angelia.surfaces.cli.screen import harmless

_LONGEST = 400
_MARKS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "broken": ("✗", "red")}
_SURFACES = {"chat": "chat completions", "responses": "responses"}


class Seen(Struct, frozen=True):
    """What a client shows of one stream, and how true it is."""

    surface: Literal["chat", "responses"]
    dialect: str
    shown: Shown
    verdict: Verdict


class Diagnosis(Struct, frozen=True):
    client: str
    title: str
    run: str
    ok: bool
    seen: tuple[Seen, ...]
    settings: tuple[Row, ...]


class Health(Struct, frozen=True):
    ok: bool
    checks: tuple[Check, ...]


def as_json(found: Diagnosis | Health) -> str:
    return msgspec.json.encode(found).decode()


def print_health(console: Console, health: Health) -> None:
    table = _grid()
    for check in health.checks:
        mark, colour = _MARKS[check.level]
        found = Text(harmless(check.found))
        if check.advice:
            found.append(f"\n→ {harmless(check.advice)}", "dim")
        table.add_row(Text(mark, colour), check.part, found)
    console.print(table)
    broken = [check.part for check in health.checks if check.level == "broken"]
    console.print()
    console.print(_verdict(f"broken: {', '.join(broken)}" if broken else "", "All in order."))


def print_diagnosis(console: Console, found: Diagnosis) -> None:
    for seen in found.seen:
        surface = _SURFACES[seen.surface]
        title = f"{found.title}, {surface}, tools as {seen.dialect}: {found.run}"
        console.print(Text(title, "bold"))
        console.print()
        _print_shown(console, seen.shown)
        _print_findings(console, seen.verdict)
    bad = "" if found.ok else f"{found.title} does not show what happened; see above."
    console.print(_verdict(bad, f"{found.title} shows the whole answer."))
    console.print()
    console.print(Text(f"Enter this in {found.title}", "bold"))
    console.print()
    _print_rows(console, found.settings)


def _print_shown(console: Console, shown: Shown) -> None:
    table = _grid()
    for piece in shown.pieces:
        name, text, look = _told(piece)
        table.add_row("", name, Text(_short(text), look))
    tokens = shown.tokens
    counted = f"{tokens.input} in, {tokens.output} out" if tokens else "no token counts"
    table.add_row("", "end", Text(f"{shown.finish or 'no finish reason'}; {counted}", "dim"))
    console.print(table)
    console.print()


def _told(piece: Piece) -> tuple[str, str, str]:
    match piece:
        case Said(text=text):
            return "text", text.strip("\n"), ""
        case Thought(text=text):
            return "thinking", text, "dim"
        case Card(title=title, states=states):
            return "🔧 tool", f"{title}: {' → '.join(states)}", "cyan"
        case Errand(tool=tool, arguments=arguments):
            return "execute", f"{tool} {arguments}", "cyan"
        case Trouble(message=message):
            return "error", message, "red"
        case _:
            assert_never(piece)


def _print_findings(console: Console, verdict: Verdict) -> None:
    table = _grid()
    for problem in verdict.problems:
        table.add_row(Text("✗", "red"), "wrong", Text(harmless(problem)))
    for warning in verdict.warnings:
        table.add_row(Text("!", "yellow"), "note", Text(harmless(warning)))
    if table.row_count:
        console.print(table)
        console.print()


def _print_rows(console: Console, rows: Sequence[Row]) -> None:
    """Values are not broken, so that they can be copied."""
    width = max(len(row.name) for row in rows)
    for row in rows:
        name = (f"  {row.name:<{width}}  ", "bold")
        console.print(Text.assemble(name, row.value), soft_wrap=True)
        if row.why:
            console.print(Text(f"{'':<{width + 4}}{row.why}", "dim"), soft_wrap=True)


def _verdict(bad: str, good: str) -> Text:
    return Text(f"✗ {bad}", "red") if bad else Text(f"✓ {good}", "green")


def _grid() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(width=1)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _short(text: str) -> str:
    text = harmless(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
