"""What a cell should come to on every surface, and what it came to, in the same words."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tests.support.resilience.cells import Attempt, Cell, Say

WARNING = "⚠ the call of terminal was dropped"
_WARNED = re.compile(r"⚠[^\n]*\bterminal\b[^\n]*")


def plain(text: str) -> str:
    """With the warning in words that do not change."""
    return _WARNED.sub(WARNING, text)


class Answer(Struct, frozen=True):
    """As a chat client has it. `error` is a code, if there is no whole answer.

    A stream that fails before its first byte is not `sent`: it is an HTTP error.
    """

    text: str = ""
    finish: str | None = None
    error: str | None = None
    tools: tuple[str, ...] = ()
    sent: bool = True


class Outcome(Struct, frozen=True):
    """`events` are those of the run, in few words; `said` are its messages as they are kept.

    `items` are those of a response. `runs` counts how often the tool was really run, `calls` the
    questions to either provider.
    """

    events: tuple[str, ...] = ()
    output: str = ""
    said: tuple[str, ...] = ()
    stream: Answer = Answer()
    whole: Answer = Answer()
    response: str = ""
    items: tuple[str, ...] = ()
    runs: int = 0
    calls: tuple[int, int] = (0, 0)


# ── what should be ──────────────────────────────────────────────────────────────────────────


class _Telling:
    """A cell as its run tells it, attempt by attempt."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.events = ["run.started"]
        self.items: list[str] = []
        self.replies: list[str] = []
        self.said: list[str] = []
        self.shown: list[str] = []
        self.tools: list[str] = []
        self.standing: Attempt | None = None
        self.ending = ""

    def tell(self) -> None:
        for attempts in self.cell.rounds:
            self.standing = None
            for place, attempt in enumerate(attempts):
                self._try(attempt, attempts[place + 1 :])
        self.events.append(self.ending)

    def _try(self, attempt: Attempt, behind: Sequence[Attempt]) -> None:
        shown = attempt.shown
        if shown != Say():
            if self.standing is not None:
                self.events.append(f"step.reset {self.standing.shown.tool or ''}")
            self.standing = attempt
            self._show(shown, is_whole=not attempt.strikes)
        if not attempt.strikes:
            self._reply(attempt.say)
        elif behind:
            self.events += _notice(attempt, behind[0])
        else:
            self._give_up(attempt)

    def _show(self, shown: Say, *, is_whole: bool) -> None:
        status = "completed" if is_whole else "incomplete"
        if shown.reasoning:
            self.events.append("reasoning")
            self.items.append(f"reasoning {status}")
        if shown.text:
            self.events.append(f"text {shown.text}")
            self.items.append(f"message {status} {shown.text}")
            self.shown.append(shown.text)
        if shown.tool:
            self.events.append(f"call {shown.tool}")

    def _reply(self, said: Say) -> None:
        finish = "tool_calls" if said.tool else "stop"
        self.events.append(f"reply {finish} {said.text}")
        self.replies.append(said.text)
        self.said.append(said.text)
        if said.tool:
            self.tools.append(said.tool)
            self.events += [f"tool.started {said.tool}", f"tool.completed {said.tool} ok"]
            self.items += [f"function_call {said.tool}", "function_call_output"]
        self.ending = f"run.completed {finish}"

    def _give_up(self, last: Attempt) -> None:
        trouble, standing = last.trouble, self.standing
        assert trouble is not None
        if trouble.remedy == "shorten":
            self.events.append("notice overflow")
        refused = standing is last and trouble.remedy == "give_up"
        if standing is None or refused or standing.shown == Say(reasoning=standing.say.reasoning):
            self.ending = f"run.failed {trouble.code}"
            # What people have read of it is a part of the conversation.
            self.said += [standing.shown.text] if standing and standing.shown.text else []
            return
        self.events.append("notice cut_off")
        text = standing.shown.text
        if standing.shown.tool:
            warning = f"\n\n{WARNING}" if text else WARNING
            self.events.append(f"text {warning}")
            text = self._grow(text, warning)
        self.events.append(f"reply length {text}")
        self.replies.append(text)
        self.said.append(text)
        self.ending = "run.completed length"

    def _grow(self, text: str, warning: str) -> str:
        """The warning is a part of the message that stands."""
        if text:
            self.shown.pop()
            self.items.pop()
        self.shown.append(text + warning)
        self.items.append(f"message incomplete {text}{warning}")
        return text + warning


def _notice(attempt: Attempt, following: Attempt) -> Iterator[str]:
    trouble = attempt.trouble
    assert trouble is not None
    if trouble.remedy == "whole":
        return
    if following.provider != attempt.provider:
        yield "notice fallback"
    elif trouble.remedy == "rotate":
        yield "notice rotate"
    else:
        yield "notice stall" if trouble.stalls else "notice retry"


def expected(cell: Cell) -> Outcome:
    telling = _Telling(cell)
    telling.tell()
    ended, detail = telling.ending.split()
    failed = ended == "run.failed"
    finish = "length" if detail == "length" else "stop"
    answer = Answer("\n\n".join(telling.shown), finish, None, tuple(telling.tools))
    if failed:
        answer = Answer(answer.text, None, detail, answer.tools)
    return Outcome(
        events=tuple(telling.events),
        output=telling.replies[-1] if telling.replies else "",
        said=tuple(telling.said),
        stream=answer,
        whole=_whole(telling, answer),
        response=_response(failed, detail),
        items=tuple(telling.items),
        runs=telling.tools.count("terminal"),
        calls=_calls(cell),
    )


def _whole(telling: _Telling, answer: Answer) -> Answer:
    """Nothing of it was shown before, so it has only what counts; a failure has no text."""
    if answer.error is not None:
        return Answer(error=answer.error)
    return Answer("\n\n".join(telling.replies), answer.finish)


def _response(failed: bool, detail: str) -> str:
    if failed:
        return f"failed {detail}"
    return "incomplete max_output_tokens" if detail == "length" else "completed"


def _calls(cell: Cell) -> tuple[int, int]:
    asked = [attempt.provider for attempt in cell.attempts]
    return asked.count("A"), asked.count("B")


def differences(wanted: Outcome, seen: Outcome) -> dict[str, tuple[object, object]]:
    """By field, what should be and what is."""
    if wanted.stream.error is not None and not seen.stream.sent:
        wanted = replace(wanted, stream=Answer(error=wanted.stream.error, sent=False))
    if wanted.response.startswith("failed") and seen.response.startswith("unsent"):
        wanted = replace(wanted, response=wanted.response.replace("failed", "unsent"), items=())
    return {
        field: (getattr(wanted, field), getattr(seen, field))
        for field in Outcome.__struct_fields__
        if getattr(wanted, field) != getattr(seen, field)
    }
