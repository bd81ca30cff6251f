"""One model call as the log sees it: deltas made fit for the record, then the whole reply."""

from collections.abc import Sequence

from msgspec.structs import replace

from angelia.core.events import CallDelta, Delta, ReasoningClosed, ReasoningDelta, TextDelta
from angelia.core.identity import Naming, used_ids
from angelia.core.messages import Reply
from angelia.core.state import RunState
from angelia.ports import Emit


class Step:
    """Closes each burst of reasoning and gives calls the ids they keep."""

    def __init__(self, run_id: str, state: RunState, offer: Emit) -> None:
        self._offer = offer
        self._naming = Naming(run_id, state.steps, state.tools, used_ids(state.messages))
        self._burst: list[str] = []

    async def emit(self, deltas: Sequence[Delta]) -> None:
        await self._offer(self._fit(deltas))

    def close(self, reply: Reply) -> tuple[Sequence[Delta], Reply]:
        """What is left to show, and the reply under its final ids."""
        return self._end_burst(), self._naming.apply(reply)

    def _fit(self, deltas: Sequence[Delta]) -> Sequence[Delta]:
        if not self._burst and all(type(delta) is TextDelta for delta in deltas):
            return deltas
        fitted: list[Delta] = []
        for delta in deltas:
            if isinstance(delta, ReasoningDelta):
                self._burst.append(delta.text)
            else:
                fitted += self._end_burst()
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
