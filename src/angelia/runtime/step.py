"""One model step as the log sees it: attempts of which at most one stands, then the reply.

What an attempt has shown stands until another attempt shows something in its place. Only then is
it void: if no other attempt comes that far, it is all there is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from msgspec.structs import replace

from angelia.core.events import (
    CallDelta,
    Delta,
    ReasoningClosed,
    ReasoningDelta,
    StepReset,
    TextDelta,
)
from angelia.core.identity import Naming, used_ids
from angelia.core.messages import Assistant, AssistantPart, Reasoning, Reply, Text
from angelia.core.providers.verdict import Reached
from angelia.core.state import RunState
from angelia.ports import Emit

Reset = Callable[[StepReset], Awaitable[object]]


class Step:
    """`standing` is the attempt whose words were shown last.

    `claimed` tells that something was shown, `claimant` is the task that asked for it, and
    `first_at` is when the first delta came.
    """

    def __init__(
        self, run_id: str, state: RunState, offer: Emit, reset: Reset, now: Callable[[], float]
    ) -> None:
        self.offer = offer
        self.standing: Attempt | None = None
        self.claimed = asyncio.Event()
        self.claimant: asyncio.Task[Any] | None = None
        self.first_at: float | None = None
        self._run_id = run_id
        self._state = state
        self._reset = reset
        self._now = now
        self._used = used_ids(state.messages)
        self._shown: list[Attempt] = []
        self._askers: dict[Attempt, asyncio.Task[Any] | None] = {}

    def attempt(self, model: str = "") -> "Attempt":
        """One that belongs to the task that asks for it, whoever shows something of it."""
        state = self._state
        naming = Naming(self._run_id, state.steps, state.tools, self._used)
        attempt = Attempt(self, model, naming)
        self._askers[attempt] = asyncio.current_task()
        return attempt

    @property
    def attempts(self) -> "Sequence[Attempt]":
        """Those that have shown anything, in the order in which they did."""
        return self._shown

    @property
    def said(self) -> list[str]:
        """All text that was shown; a blank line stands where something became void."""
        texts: list[str] = []
        for number, attempt in enumerate(self._shown):
            texts += ["\n\n"] if number else []
            texts += attempt.said
        return texts

    async def claim(self, attempt: "Attempt") -> None:
        """From here on `attempt` is what is shown. Another one that comes too late waits forever.

        Whoever let both of them run cancels the one that waits.
        """
        if self.standing is not None and self.standing.is_live:
            await asyncio.get_running_loop().create_future()
        before, self.standing = self.standing, attempt
        self.claimed.set()
        self.claimant = self._askers.pop(attempt, None)
        self._shown.append(attempt)
        if self.first_at is None:
            self.first_at = self._now()
        if before is not None:
            await self._void(before)

    async def void(self) -> None:
        """What stands is void, and nothing takes its place yet."""
        before, self.standing = self.standing, None
        if before is not None:
            await self._void(before)

    def close(self) -> None:
        """Lets go of the attempts, which know their step: it knows the driver, and so the run.

        Else all of them wait for the garbage collector.
        """
        self.standing = self.claimant = None
        self._shown.clear()
        self._askers.clear()

    async def _void(self, attempt: "Attempt") -> None:
        await self._reset(StepReset(attempt.end or "failed", attempt.called))


class Attempt:
    """Closes each burst of reasoning and gives calls the ids they keep.

    `model` is whom it asks, `called` are the names of tools whose calls have begun. `end` is why
    it failed, in a word; `refused` says that the provider did not want to go on.
    """

    def __init__(self, step: Step, model: str, naming: Naming) -> None:
        self.model = model
        self.end: str | None = None
        self.refused = False
        self._step = step
        self._naming = naming
        self._burst: list[str] = []
        self._text: list[str] = []
        self._parts: list[AssistantPart] = []
        self._called: dict[int, str] = {}
        self._claimed = False
        self._thought = False

    @property
    def is_live(self) -> bool:
        return self.end is None

    @property
    def called(self) -> tuple[str, ...]:
        return tuple(self._called.values())

    @property
    def said(self) -> list[str]:
        return [*(part.text for part in self._parts if isinstance(part, Text)), *self._text]

    @property
    def written(self) -> str:
        """Text and thoughts: providers charge for both."""
        parts = self.message().parts
        return "".join(part.text for part in parts if isinstance(part, Text | Reasoning))

    @property
    def reached(self) -> Reached:
        """How far it came; a call that has begun is further than text."""
        if self._called:
            return "arguments"
        if self._text or any(isinstance(part, Text) for part in self._parts):
            return "text"
        return "reasoning" if self._thought else "nothing"

    def emit(self, deltas: Sequence[Delta]) -> Coroutine[Any, Any, None]:
        if self._claimed:
            return self._step.offer(self._fit(deltas))
        self._claimed = True
        return self._begin(deltas)

    async def _begin(self, deltas: Sequence[Delta]) -> None:
        await self._step.claim(self)
        await self._step.offer(self._fit(deltas))

    def close(self, reply: Reply) -> tuple[Sequence[Delta], Reply]:
        """What is left to show, and the reply under its final ids."""
        return self._end_burst(), self._naming.apply(reply)

    def message(self) -> Assistant:
        """What was shown, but for calls."""
        text = "".join(self._text)
        burst = (Reasoning("".join(self._burst)),) if self._burst else ()
        return Assistant((*self._parts, *((Text(text),) if text else ()), *burst))

    def _fit(self, deltas: Sequence[Delta]) -> Sequence[Delta]:
        if len(deltas) == 1 and not self._burst and type(delta := deltas[0]) is TextDelta:
            self._text.append(delta.text)
            return deltas
        fitted: list[Delta] = []
        for delta in deltas:
            if isinstance(delta, ReasoningDelta):
                self._think(delta.text)
            else:
                fitted += self._end_burst()
            if isinstance(delta, TextDelta):
                self._text.append(delta.text)
            fitted.append(self._named(delta) if isinstance(delta, CallDelta) else delta)
        return fitted

    def _think(self, text: str) -> None:
        self._thought = True
        if self._text:
            self._parts.append(Text("".join(self._text)))
            self._text = []
        self._burst.append(text)

    def _named(self, delta: CallDelta) -> CallDelta:
        self._called[delta.index] = delta.name or self._called.get(delta.index, "?")
        if delta.id is None:
            return delta
        # Whose tool it is decides the id, so an id that comes before the name is not shown.
        fresh = self._naming.name(delta.index, delta.name, delta.id) if delta.name else None
        return replace(delta, id=fresh)

    def _end_burst(self) -> Sequence[Delta]:
        if not self._burst:
            return ()
        thought = "".join(self._burst)
        self._parts.append(Reasoning(thought))
        self._burst.clear()
        return (ReasoningClosed(thought),)
