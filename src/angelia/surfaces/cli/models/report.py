"""Which models there are and how they are, for people and for programs."""

from typing import Literal

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from angelia.core.prices import Price
from angelia.surfaces.cli.local import Found
from angelia.surfaces.cli.screen import harmless

# unlisted: the provider answers, and does not name this model.
State = Literal["ready", "unlisted", "refused", "silent", "unasked"]
_MARKS: dict[State, tuple[str, str]] = {
    "ready": ("✓", "green"),
    "unlisted": ("!", "yellow"),
    "refused": ("✗", "red"),
    "silent": ("✗", "red"),
    "unasked": ("·", "dim"),
}
_MOST_NAMES = 8


class Listed(Struct, frozen=True):
    """A model that is configured. `seconds` is how long its provider took to list its models."""

    name: str
    model: str
    provider: str
    address: str
    protocol: str
    agents: tuple[str, ...]
    context_tokens: int | None
    price: Price | None
    state: State
    seconds: float | None
    message: str


class Report(Struct, frozen=True):
    """`demo`: the default agent has no model but the built-in one.

    `found` are servers on this machine that no model is configured for.
    """

    ok: bool
    demo: bool
    models: tuple[Listed, ...]
    found: tuple[Found, ...]


def print_report(console: Console, report: Report) -> None:
    table = _grid()
    for listed in report.models:
        mark, colour = _MARKS[listed.state]
        table.add_row(Text(mark, colour), Text(harmless(listed.name)), _details(listed))
    if report.models:
        console.print(table)
        console.print()
    _print_found(console, report.found)
    console.print(_verdict(report))


def _details(listed: Listed) -> Text:
    lines = [
        f"{listed.model} at {listed.address}",
        _known(listed),
        f"asked by {', '.join(listed.agents)}" if listed.agents else "asked by no agent",
    ]
    text = Text(harmless(lines[0]))
    for line in lines[1:]:
        text.append(f"\n{harmless(line)}" if line else "", "dim")
    word, look = _health(listed)
    return text.append(f"\n{harmless(word)}", look)


def _known(listed: Listed) -> str:
    size = f"reads {listed.context_tokens:,} tokens" if listed.context_tokens else ""
    price = listed.price
    costs = f"{price.input:g} in, {price.output:g} out per million" if price else ""
    return ", ".join(part for part in (size, costs) if part)


def _health(listed: Listed) -> tuple[str, str]:
    took = f" in {listed.seconds:.2f} s" if listed.seconds is not None else ""
    match listed.state:
        case "ready":
            return f"{listed.provider} answers{took}", "green"
        case "unlisted":
            return f"{listed.provider} answers{took}, and does not list this model", "yellow"
        case "refused":
            return f"{listed.provider} refuses: {listed.message}", "red"
        case "silent":
            return listed.message, "red"
        case "unasked":
            return "not asked", "dim"


def _print_found(console: Console, found: tuple[Found, ...]) -> None:
    if not found:
        return
    console.print(Text("Found on this machine, and not configured", "bold"))
    console.print()
    table = _grid()
    for server in found:
        names = [offer.name for offer in server.models]
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        shown = ", ".join(names[:_MOST_NAMES]) or "no models"
        table.add_row("", server.title, Text(f"{server.base_url}\n{harmless(shown)}{more}"))
    console.print(table)
    console.print()
    console.print(Text("→ angelia setup adds one of them", "dim"))
    console.print()


def _verdict(report: Report) -> Text:
    if report.demo:
        return Text("· The demo model answers. To choose another: angelia setup", "yellow")
    if not report.ok:
        return Text("✗ No model of the default agent answers.", "red")
    if all(listed.state == "unasked" for listed in report.models):
        return Text("· Nobody was asked.", "dim")
    return Text("✓ The default agent has a model that answers.", "green")


def _grid() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(width=1)
    table.add_column(overflow="fold", max_width=20)
    table.add_column(overflow="fold")
    return table
