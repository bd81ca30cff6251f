"""Which tool calls need a human, and how much a run may use up."""

from typing import Literal

from msgspec import Struct

from angelia.core.messages import Effect, Usage

Verdict = Literal["allow", "ask", "deny"]
LimitName = Literal["max_steps", "max_tokens", "max_seconds", "max_cost"]


class Policy(Struct, frozen=True, omit_defaults=True):
    """Rules by tool name or effect class; the stricter of two matching rules wins."""

    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


def judge(policy: Policy, tool: str, effect: Effect) -> Verdict:
    if tool in policy.deny or effect in policy.deny:
        return "deny"
    if tool in policy.ask or effect in policy.ask:
        return "ask"
    return "allow"


class Limits(Struct, frozen=True, omit_defaults=True):
    """Budgets of a run. None is unlimited.

    `max_calls` ends nothing: calls of the server's tools beyond it are refused. `max_repeats` is
    how often the model may do the same with the same result; 0 is as often as it likes.
    """

    max_steps: int | None = None
    max_tokens: int | None = None
    max_seconds: float | None = None
    max_cost: float | None = None
    max_calls: int | None = None
    max_repeats: int | None = None


def spent(limits: Limits, steps: int, usage: Usage, cost: float = 0.0) -> LimitName | None:
    """The budget that is used up, if one is. Seconds are the driver's to count."""
    if limits.max_steps is not None and steps >= limits.max_steps:
        return "max_steps"
    if limits.max_tokens is not None and usage.total >= limits.max_tokens:
        return "max_tokens"
    if limits.max_cost is not None and cost >= limits.max_cost:
        return "max_cost"
    return None
