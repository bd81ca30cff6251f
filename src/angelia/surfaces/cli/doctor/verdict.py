"""Whether what a client shows is what happened."""

from msgspec import Struct

from angelia.surfaces.cli.doctor.clients.known import View
from angelia.surfaces.cli.doctor.shown import Shown
from angelia.surfaces.cli.doctor.truth import Truth

REASONING_OFF = "chat.reasoning is off."


class Verdict(Struct, frozen=True):
    """`warnings` are what the client cannot show; `problems` are what it gets wrong."""

    warnings: tuple[str, ...]
    problems: tuple[str, ...]


def judge(view: View, truth: Truth, shown: Shown) -> Verdict:
    warnings = [*shown.remarks, *_unseen(view, truth, shown)]
    problems = [
        *_about_text(truth, shown),
        *_about_tools(view, truth, shown),
        *_about_ending(truth, shown),
        *_about_tokens(truth, shown),
    ]
    return Verdict(tuple(warnings), tuple(problems))


def _unseen(view: View, truth: Truth, shown: Shown) -> list[str]:
    found: list[str] = []
    if truth.tools and view.hides_tools:
        found.append(f"{_calls(len(truth.tools))} not shown: {view.hides_tools}")
    if truth.reasoning and not shown.reasoning:
        found.append(f"Reasoning is not shown: {view.hides_reasoning or REASONING_OFF}")
    if shown.tokens is None and truth.failure is None:
        found.append(f"No token counts: {view.wants_usage}")
    return found


def _about_text(truth: Truth, shown: Shown) -> list[str]:
    # A surface parts the texts of two steps by a blank line, which no event has.
    if _letters(shown.text) == _letters(truth.text):
        return []
    kept, whole = len(_letters(shown.text)), len(_letters(truth.text))
    return [f"The text is not the one of the run: {kept} of {whole} letters."]


def _about_tools(view: View, truth: Truth, shown: Shown) -> list[str]:
    found = [f"The card of {card.title} never ends." for card in shown.cards if not card.ended]
    if not view.hides_tools and len(shown.cards) != len(truth.tools):
        found.append(f"{_calls(len(truth.tools))} became {len(shown.cards)} cards.")
    if len(shown.errands) != truth.errands:
        found.append(
            f"The client is told to execute {len(shown.errands)} tools; "
            f"{truth.errands} are its own."
        )
    return found


def _about_ending(truth: Truth, shown: Shown) -> list[str]:
    if truth.failure is None:
        return [f"An error is shown: {trouble.message}." for trouble in shown.troubles]
    return [] if shown.troubles else ["The run failed, and the answer looks finished."]


def _about_tokens(truth: Truth, shown: Shown) -> list[str]:
    if shown.tokens is None or truth.tokens is None or shown.tokens == truth.tokens:
        return []
    told, used = shown.tokens, truth.tokens
    return [f"It counts {told.input} + {told.output} tokens; it was {used.input} + {used.output}."]


def _letters(text: str) -> str:
    return "".join(text.split())


def _calls(count: int) -> str:
    return f"{count} tool call{'' if count == 1 else 's'}"
