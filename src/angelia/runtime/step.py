"""One model call as the log sees it: deltas made fit for the record, then the whole reply."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from angelia.core.events import CallDelta, Delta, ReasoningClosed, ReasoningDelta, TextDelta
from angelia.core.identity import Naming, used_ids
from angelia.core.messages import Reply
from angelia.core.state import RunState
from angelia.ports import Emit


class Step:
    """Closes each burst of reasoning and gives calls the ids they keep.

    `said` is the text that was shown so far; `first_at` is when the first delta came.
    """

    def __init__(self, run_id: str, state: RunState, offer: Emit, now: Callable[[], float]) -> None:
        self.first_at: float | None = None
        self._now = now
        self._offer = offer
        self._naming = Naming(run_id, state.steps, state.tools, used_ids(state.messages))
        self._burst: list[str] = []
        self.said: list[str] = []

    async def emit(self, deltas: Sequence[Delta]) -> None:
        if self.first_at is None:
            self.first_at = self._now()
        await self._offer(self._fit(deltas))

    def close(self, reply: Reply) -> tuple[Sequence[Delta], Reply]:
        """What is left to show, and the reply under its final ids."""
        return self._end_burst(), self._naming.apply(reply)

    def _fit(self, deltas: Sequence[Delta]) -> Sequence[Delta]:
        if not self._burst and all(type(delta) is TextDelta for delta in deltas):
            self.said += [delta.text for delta in deltas if type(delta) is TextDelta]
            return deltas
        fitted: list[Delta] = []
        for delta in deltas:
            if isinstance(delta, ReasoningDelta):
                self._burst.append(delta.text)
            else:
                fitted += self._end_burst()
            if isinstance(delta, TextDelta):
                self.said.append(delta.text)
            fitted.append(self._named(delta) if isinstance(delta, CallDelta) else delta)
        return fitted

    def _named(self, delta: CallDelta) -> CallDelta:
        if delta.id is None:
            return delta
        # Whose tool it is decides the id, so an id that comes before the name is not shown.
        fresh = self._naming.name(delta.index, delta.name, delta.id) if delta.name else None
        return replace(delta, id=fresh)

    def _end_burst(self) -> Sequence[Delta]:
        if not self._burst:
            return ()
        closed = ReasoningClosed("".join(self._burst))
        self._burst.clear()
        return (closed,)
