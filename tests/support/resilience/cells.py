"""Every cell of the matrix: a trouble, where it strikes, how it ends, and the attempts it takes."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from tests.support.resilience.troubles import (
    BEFORE_ANYTHING,
    HARMLESS,
    IN_ARGUMENTS,
    IN_TEXT,
    IN_THOUGHT,
    NO_STREAM,
    Remedy,
    Trouble,
)

Where = Literal["start", "reasoning", "text", "arguments", "between", "second"]
Ends = Literal["retry", "fallback", "none"]
Provider = Literal["A", "B"]

# Each endpoint is asked once more, so two times.
ATTEMPTS = 2
KEYS: dict[Remedy, int] = {"rotate": 2}

THINKING = "thinking of this and that for a long while"
CALLING, LOOKING, FINAL = "Calling it now.", "Looking first.", "This is the whole answer."


class Say(Struct, frozen=True):
    """What a provider answers. `tool` is called with the cell's token."""

    text: str = ""
    reasoning: str = ""
    tool: str | None = None


class Attempt(Struct, frozen=True):
    """One question to one provider; without a trouble its answer is a good one."""

    provider: Provider
    say: Say
    trouble: Trouble | None = None

    @property
    def strikes(self) -> bool:
        return self.trouble is not None and self.trouble.remedy != "fine"

    @property
    def shown(self) -> Say:
        """What anybody sees of it."""
        trouble = self.trouble
        if trouble is None or not self.strikes or trouble.late:
            return self.say
        match trouble.place:
            case "start":
                return Say()
            case "reasoning":
                return Say(reasoning=self.say.reasoning)
            case "text":
                return Say(half(self.say.text))
            case "arguments":
                return self.say


class Cell(Struct, frozen=True):
    """`rounds` are the attempts of each model step, in their order."""

    name: str
    trouble: Trouble
    rounds: tuple[tuple[Attempt, ...], ...]

    @property
    def attempts(self) -> list[Attempt]:
        return [attempt for attempts in self.rounds for attempt in attempts]

    @property
    def is_slow(self) -> bool:
        return self.trouble.stalls

    def script(self, provider: Provider, token: str) -> Iterator[dict[str, Any]]:
        """The steps of one provider: exactly what it should be asked for, and no more."""
        for attempt in self.attempts:
            if attempt.provider == provider:
                yield {**step(attempt, token), "when": token}
        yield {"text": f"{provider} was asked once too often.", "when": token, "repeat": True}


def half(text: str) -> str:
    """What arrives of a text that is spoiled in its middle."""
    words = text.split(" ")
    return " ".join(words[: (len(words) + 1) // 2])


def step(attempt: Attempt, token: str) -> dict[str, Any]:
    said = attempt.say
    fault = {} if attempt.trouble is None else attempt.trouble.fault
    calls = [{"name": said.tool, "arguments": arguments(said.tool, token)}] if said.tool else []
    # What the server adds by itself is not in its script.
    text = said.text if attempt.trouble is None else said.text.removesuffix(attempt.trouble.more)
    return {"text": text, "reasoning": said.reasoning, "calls": calls, "fault": fault}


def arguments(tool: str, token: str) -> dict[str, str]:
    """`terminal` leaves a line in a file each time that it is really run."""
    return {"command": f"echo done >> {token}"} if tool == "terminal" else {"path": "."}


# ── plans ───────────────────────────────────────────────────────────────────────────────────


def tries(trouble: Trouble, say: Sequence[Say], good: Say, ends: Ends) -> Iterator[Attempt]:
    """The attempts of one step. `say` is what each of those that fail would say."""
    voids = iter(say)
    for provider in ("A", "B"):
        for _ in range(ATTEMPTS if trouble.remedy in ("again", "rotate") else 1):
            yield Attempt(provider, next(voids), trouble)
            if trouble.remedy in ("give_up", "shorten"):
                return
            if trouble.remedy == "whole" or (ends == "retry" and provider == "A"):
                yield Attempt(provider, good)
                return
        if ends == "fallback":
            yield Attempt("B", good)
            return


def voids(**fields: Any) -> list[Say]:
    """Words that tell whose they are."""
    return [
        Say(f"void {who} words that nobody should keep", **fields) for who in ("a", "b", "c", "d")
    ]


def planned(trouble: Trouble, where: Where, ends: Ends) -> tuple[tuple[Attempt, ...], ...]:
    final = Attempt("A", Say(FINAL))
    match where:
        case "start" | "text":
            return (tuple(tries(trouble, voids(), final.say, ends)),)
        case "reasoning":
            return (tuple(tries(trouble, voids(reasoning=THINKING), final.say, ends)),)
        case "arguments":
            called = Say(CALLING, tool="terminal")
            first = tuple(tries(trouble, voids(tool="terminal"), called, ends))
            return (first, (final,)) if first[-1].trouble is None else (first,)
        case "between" | "second":
            looked = Attempt("A", Say(LOOKING, tool="list_files"))
            return ((looked,), tuple(tries(trouble, voids(), final.say, ends)))


def endings(trouble: Trouble) -> tuple[Ends, ...]:
    """Those that can be."""
    match trouble.remedy:
        case "again" | "rotate":
            return ("retry", "fallback", "none")
        case "next":
            return ("fallback", "none")
        case "give_up" | "shorten":
            return ("none",)
        case "whole":
            return ("retry",)
        case "fine":
            return ()


def crossed(where: Where, troubles: Sequence[Trouble]) -> Iterator[Cell]:
    for trouble in troubles:
        for ends in endings(trouble):
            name = f"{where}-{trouble.name}-{ends}"
            yield Cell(name, trouble, planned(trouble, where, ends))


def harmless() -> Iterator[Cell]:
    for trouble in HARMLESS:
        alone = Attempt("A", Say(FINAL + trouble.more), trouble)
        yield Cell(f"text-{trouble.name}", trouble, ((alone,),))
        if not trouble.more:
            called = Attempt("A", Say(CALLING, tool="terminal"), trouble)
            final = Attempt("A", Say(FINAL))
            yield Cell(f"arguments-{trouble.name}", trouble, ((called,), (final,)))


def mixed() -> Iterator[Cell]:
    """What an attempt has shown stands if none that comes behind it shows anything."""
    silent = next(trouble for trouble in BEFORE_ANYTHING if trouble.name == "status-500")
    for where, troubles in (("text", IN_TEXT), ("arguments", IN_ARGUMENTS)):
        cut = next(trouble for trouble in troubles if trouble.name == "cut")
        void = voids(tool="terminal" if where == "arguments" else None)[0]
        first = Attempt("A", void, cut)
        rest = (Attempt("A", Say(), silent), *[Attempt("B", Say(), silent)] * ATTEMPTS)
        yield Cell(f"{where}-cut-then-nothing", cut, ((first, *rest),))
        later = (*rest[:1], Attempt("B", Say(FINAL)))
        yield Cell(f"{where}-cut-then-nothing-then-fallback", cut, ((first, *later),))


def bare() -> Iterator[Cell]:
    """A call without a word before it."""
    cut = IN_ARGUMENTS[0]
    silent = [Say(tool="terminal")] * 4
    for ends in endings(cut):
        good = Say(FINAL)
        yield Cell(f"bare-{cut.name}-{ends}", cut, (tuple(tries(cut, silent, good, ends)),))


def cells() -> list[Cell]:
    second = [trouble for trouble in IN_TEXT if trouble.name in ("cut", "stall", "policy")]
    return [
        *crossed("start", (*BEFORE_ANYTHING, *NO_STREAM)),
        *crossed("reasoning", IN_THOUGHT),
        *crossed("text", IN_TEXT),
        *crossed("arguments", IN_ARGUMENTS),
        *crossed("between", (*BEFORE_ANYTHING, *NO_STREAM)),
        *crossed("second", second),
        *harmless(),
        *mixed(),
        *bare(),
    ]
