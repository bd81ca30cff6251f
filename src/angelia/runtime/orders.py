"""What a client wants done, and the first fact that comes of it."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeVar

from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.structs import replace

from angelia.core.chain import spoken
from angelia.core.context import fits, size
from angelia.core.events import Completed, Fact, RunEnded, RunStarted
from angelia.core.messages import Assistant, Message, Sampling, Text, ToolSpec, Usage, User
from angelia.core.policy import Limits, Policy, stricter
from angelia.core.run import begin
from angelia.core.toolsets import admits
from angelia.core.window import WHOLE, Digest
from angelia.errors import BadRequest
from angelia.ports import ApiKey, Claim, RunRecord, Summary, Tool
from angelia.runtime.agents import Agent
from angelia.runtime.ids import fresh

# Enough for lists and search; the whole is in the log.
QUESTION_LIMIT = 32_000
# So often a model may do the same with the same result where the agent does not say otherwise.
MAX_REPEATS = 6
# The surface of runs that hold a conversation as its client has changed it.
EDITED = "conversation"


class Order(Struct, frozen=True):
    """`tools` None means the agent's own; `()` means none at all.

    `history` was said before, in the run `parent` if it is one of ours. An order that `follows`
    its session learns what was said there when its turn comes. If another turn of the session is
    under way, the order waits or is refused, or it `yields` and opens a session of its own.
    It may use the agents `models` and of their tools those that are `allowed`, all where that is
    None; `policy` is added to the agent's. `digest` is how what was said before was shown so far.
    What is too long for the model is shown in fewer words, or without its oldest turns, or refused.

    Of the tools it could use it wants those of `toolsets`, all where that is None. `briefing` is
    what the agent is told besides its instructions. `granted`, `delegated_by` and `depth` as in
    `RunStarted`; `delegated_call` as in `RunRecord`.
    """

    tenant: str
    messages: tuple[Message, ...]
    surface: str
    model: str | None = None
    instructions: str = ""
    tools: tuple[ToolSpec, ...] | None = None
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    session_id: str | None = None
    session_key: str | None = None
    user: str | None = None
    metadata: Raw | UnsetType = UNSET
    claim: Claim | None = None
    history: tuple[Message, ...] = ()
    parent: str | None = None
    follows: bool = False
    yields: bool = False
    when_busy: Literal["wait", "refuse"] = "wait"
    models: tuple[str, ...] | None = None
    allowed: tuple[str, ...] | None = None
    policy: Policy = field(default_factory=Policy)
    stored: bool = True
    request: Raw | UnsetType = UNSET
    webhook: Raw | UnsetType = UNSET
    digest: Digest = WHOLE
    overlong: Literal["compact", "truncate", "refuse"] = "compact"
    toolsets: tuple[str, ...] | None = None
    briefing: str = ""
    granted: tuple[str, ...] = ()
    delegated_by: str | None = None
    delegated_call: str | None = None
    depth: int = 0


def order_under(key: ApiKey, surface: str, messages: tuple[Message, ...]) -> Order:
    """An order with all that the rules of its key say of it."""
    return Order(
        tenant=key.id,
        messages=messages,
        surface=surface,
        models=key.rules.models,
        allowed=key.rules.tools,
        policy=key.rules.policy,
    )


def question(messages: Iterable[Message]) -> str:
    """What people said, for lists and search."""
    texts = [
        part.text
        for message in messages
        if isinstance(message, User)
        for part in message.parts
        if isinstance(part, Text)
    ]
    return "\n".join(texts)[:QUESTION_LIMIT]


def last_answer(messages: Sequence[Message]) -> str:
    answers = (spoken(said) for said in reversed(messages) if isinstance(said, Assistant))
    return next((answer for answer in answers if answer), "")


def started(
    order: Order,
    agent: Agent,
    session_id: str,
    offered: Iterable[Tool] = (),
    *,
    queued: bool = False,
    factor: float = 1.0,
) -> RunStarted:
    layers = (agent.instructions, order.briefing, order.instructions)
    return RunStarted(
        model=agent.name,
        messages=order.history + order.messages,
        instructions="\n\n".join(layer for layer in layers if layer),
        session_id=session_id,
        tools=tools_for(agent, offered, order.tools, order.allowed, order.toolsets),
        sampling=order.sampling,
        limits=_tighter(agent.limits, order.limits),
        policy=stricter(agent.policy, order.policy),
        surface=order.surface,
        user=order.user,
        metadata=order.metadata,
        history=len(order.history),
        parent=order.parent,
        queued=queued,
        follows=queued and order.follows,
        request=order.request,
        webhook=order.webhook,
        window=agent.context_tokens if order.overlong == "truncate" else None,
        context=agent.context_tokens,
        factor=factor,
        digest=order.digest,
        granted=order.granted,
        patience=agent.patience,
        delegated_by=order.delegated_by,
        depth=order.depth,
    )


def refuse_too_long(order: Order, fact: RunStarted) -> None:
    """Raises BadRequest for what no model could be asked."""
    if fact.context is None or order.overlong == "truncate":
        return
    state = begin(fact)
    tokens = size(state)
    if tokens <= fact.context or (order.overlong == "compact" and fits(state)):
        return
    raise BadRequest(
        f"The conversation has about {tokens:,} tokens; the model reads at most "
        f"{fact.context:,}. Shorten it, or let older turns be left out.",
        param="input",
        code="context_length_exceeded",
    )


def record_of(order: Order, fact: RunStarted, run_id: str, now: float) -> RunRecord:
    return RunRecord(
        id=run_id,
        tenant=order.tenant,
        model=fact.model,
        session_id=fact.session_id,
        surface=order.surface,
        created_at=now,
        updated_at=now,
        status="queued" if fact.queued else "running",
        user=order.user,
        session_key=order.session_key,
        parent=fact.parent,
        question=question(order.messages),
        stored=order.stored,
        last_seq=1,
        delegated_by=order.delegated_by,
        delegated_call=order.delegated_call,
    )


def seeded(
    order: Order, agent: Agent, run_id: str, now: float
) -> tuple[RunRecord, tuple[Fact, ...], Summary | None]:
    """A run that has ended with what was said before it, as if it had been said in it.

    It served nobody, so no conversation is recognised by it. A conversation that was edited says
    the same again and again; only what is said for the first time here can be searched.
    """
    fact = started(order, agent, order.session_id or fresh("sess", now))
    answer = last_answer(order.history)
    facts = (fact, RunEnded(Completed(), answer))
    record = replace(
        record_of(order, fact, run_id, now),
        status="completed",
        question=question(order.history),
        last_seq=len(facts),
    )
    told = None if order.surface == EDITED else Summary(answer, Usage(), 0.0)
    return record, facts, told


def tools_for(
    agent: Agent,
    offered: Iterable[Tool],
    wanted: tuple[ToolSpec, ...] | None,
    allowed: tuple[str, ...] | None = None,
    toolsets: tuple[str, ...] | None = None,
) -> tuple[ToolSpec, ...]:
    """The agent's tools and the client's; of two with one name the client's is used."""
    if wanted == () or agent.bare:
        return wanted or ()
    taken = {tool.name for tool in wanted or ()}
    own = (
        tool.spec
        for tool in offered
        if tool.spec.name not in taken
        and all(
            admits(words, tool.spec.name, tool.toolset)
            for words in (agent.tools, allowed, toolsets)
        )
    )
    return (*own, *(wanted or ()))


def _tighter(ours: Limits, theirs: Limits) -> Limits:
    """A client may lower a budget, never raise it."""
    return Limits(
        max_steps=_lower(ours.max_steps, theirs.max_steps),
        max_tokens=_lower(ours.max_tokens, theirs.max_tokens),
        max_seconds=_lower(ours.max_seconds, theirs.max_seconds),
        max_cost=_lower(ours.max_cost, theirs.max_cost),
        max_calls=_lower(ours.max_calls, theirs.max_calls),
        max_repeats=MAX_REPEATS if ours.max_repeats is None else ours.max_repeats,
    )


N = TypeVar("N", int, float)


def _lower(ours: N | None, theirs: N | None) -> N | None:
    return min((limit for limit in (ours, theirs) if limit is not None), default=None)
