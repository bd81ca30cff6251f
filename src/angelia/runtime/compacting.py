"""The middle of a conversation summarised by a model, or by rule where no model can."""

from collections.abc import Sequence
from contextlib import closing

from msgspec.structs import replace

from angelia.core.chain import spoken
from angelia.core.condense import INSTRUCTIONS, cut, outline, question, with_task
from angelia.core.events import Compacted, Delta, Notice, StepReset
from angelia.core.messages import Prompt, Reply, Usage
from angelia.core.state import RunState
from angelia.core.tokens import of_text
from angelia.core.window import Plan
from angelia.errors import RequestError, UpstreamError
from angelia.ports import Clock, Emit
from angelia.runtime.asking import Answer, Asking
from angelia.runtime.meters import Meters
from angelia.runtime.routes import Chain
from angelia.runtime.step import Step


async def summarised(
    plan: Plan, state: RunState, chain: Chain, offer: Emit, clock: Clock, meters: Meters
) -> Answer | None:
    """None if no model has a whole answer: a run never fails for want of a summary."""

    async def news(deltas: Sequence[Delta]) -> None:
        """What a summary says on its way is nobody's answer, and neither is one that is cut off."""
        notices = [delta for delta in deltas if isinstance(delta, Notice)]
        if told := [notice for notice in notices if notice.code != "cut_off"]:
            await offer(told)

    told = question(plan.condense, most=plan.reads)
    prompt = Prompt(state.model, INSTRUCTIONS, (told,))
    step = Step("", state, news, _never_shown, clock.monotonic)
    try:
        with closing(step):
            answer = await Asking(chain, prompt, step, clock, meters=meters).answer()
    except (UpstreamError, RequestError) as error:
        await offer((Notice("compaction", f"No model has summarised: {error.message}"),))
        return None
    if answer.cut:
        # Half a summary would pass for all that was said.
        await offer((Notice("compaction", "No model has summarised: the summary was cut off."),))
        return None
    return answer


async def _never_shown(_fact: StepReset) -> None:
    pass


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
    if plan.task is None:
        return cut(said or outline(plan.condense, plan.room), plan.room)
    words, rest = plan.room // 3, plan.room - plan.room // 3
    summary = cut(said or outline(plan.condense, rest), rest)
    return with_task(summary, plan.task, words)
