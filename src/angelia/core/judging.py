"""Whether a call of a run may be made: by its budget, by what a person said, by its policy."""

from angelia.core.policy import Judgement, is_granted, judge
from angelia.core.state import Call, RunState


def judgement(state: RunState, call: Call) -> Judgement:
    """Whether a call may be made, and why not."""
    if call.over:
        return Judgement("deny", "The run has used up its calls of tools.")
    if call.approval_id is not None:
        return Judgement("allow" if call.approved else "deny", _no(call.reason))
    name = call.call.name
    judged = judge(state.policy, name, call.effect, call.touched)
    granted = judged.verdict == "ask" and is_granted(state.granted, name, call.touched)
    return Judgement("allow") if granted else judged


def _no(reason: str) -> str:
    return f"The user said no: {reason}" if reason else "The user said no."
