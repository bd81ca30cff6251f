"""The middle of a conversation summarised by a model, or by rule where no model can."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from angelia.core.chain import spoken
from angelia.core.condense import INSTRUCTIONS, cut, outline, question, with_last_words
from angelia.core.events import Compacted, Delta, Notice
from angelia.core.messages import Prompt, Reply, Usage
from angelia.core.tokens import of_text
from angelia.core.window import Plan
from angelia.errors import RequestError, UpstreamError
from angelia.ports import Emit, ModelClient


class Summarizer(Struct, frozen=True):
    """Asks `model`, which reads as much as is left of the conversation that is too long for it."""

    model: ModelClient
    emit: Emit

    async def ask(self, plan: Plan, name: str) -> Reply | None:
        """None if the model cannot or says nothing: a run never fails for want of a summary."""
        told = question(plan.condense, most=plan.reads)
        try:
            return await self.model.ask(Prompt(name, INSTRUCTIONS, (told,)), self._news)
        except (UpstreamError, RequestError) as error:
            await self.emit((Notice("compaction", f"No summary by a model: {error.message}"),))
            return None

    async def _news(self, deltas: Sequence[Delta]) -> None:
        """What a summary says on its way is nobody's answer."""
        if news := [delta for delta in deltas if isinstance(delta, Notice)]:
            await self.emit(news)


def compacted(plan: Plan, reply: Reply | None = None, cost: float = 0.0) -> Compacted:
    """What a plan has come to; without a reply, what can be done by rule."""
    if not plan.condense:
        return Compacted(plan.digest, plan.before, plan.after)
    digest = replace(plan.digest, summary=_summary(plan, reply))
    # The plan took the summary to be as long as it may be.
    after = plan.after - plan.room + of_text(digest.summary)
    if reply is None:
        return Compacted(digest, plan.before, after)
    usage, model = reply.usage or Usage(), reply.model or ""
    return Compacted(digest, plan.before, after, usage, cost, model)


def _summary(plan: Plan, reply: Reply | None) -> str:
    said = spoken(reply.message).strip() if reply is not None else ""
    if not plan.task:
        return cut(said or outline(plan.condense, plan.room), plan.room)
    words, rest = plan.room // 3, plan.room - plan.room // 3
    summary = cut(said or outline(plan.condense, rest), rest)
    return with_last_words(summary, plan.condense, words)
