"""What a client wants done, and what comes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from angelia.core.messages import Assistant, Image, Text, ToolSpec, Usage, User, user
from angelia.core.policy import Limits, Policy, judge
from angelia.core.run import fold
from angelia.errors import BadRequest
from angelia.ports import Summary, ToolOutput
from angelia.runtime.agents import Agent
from angelia.runtime.orders import (
    QUESTION_LIMIT,
    Order,
    last_answer,
    question,
    record_of,
    refuse_too_long,
    seeded,
    started,
    tools_for,
)
from tests.runtime.world import Does

OFFERED = Does("read", ToolOutput("")), Does("write", ToolOutput(""))
READ, WRITE = (tool.spec for tool in OFFERED)
THEIR_READ = ToolSpec("read", "theirs", owner="client")
AGENT = Agent(
    "angelia",
    chain=None,
    instructions="Be kind.",
    limits=Limits(max_steps=10, max_cost=1.0),
    policy=Policy(ask=("write",)),
)
ANSWER = Assistant((Text("Before."),))


def order(**wanted: object) -> Order:
    return Order("key_1", (user("hi"),), "chat", **wanted)


def test_instructions_are_layered_on_the_agents_own() -> None:
    assert started(order(), AGENT, "s").instructions == "Be kind."
    both = started(order(instructions="Be brief."), AGENT, "s").instructions
    assert both == "Be kind.\n\nBe brief."
    assert (
        started(order(instructions="Be brief."), AGENT.stripped(), "").instructions == "Be brief."
    )


def test_what_was_said_before_stands_in_front() -> None:
    fact = started(order(history=(user("a"), ANSWER), parent="run_0"), AGENT, "s")
    assert fact.messages == (user("a"), ANSWER, user("hi"))
    assert (fact.history, fact.parent) == (2, "run_0")


def test_an_order_follows_only_as_long_as_it_waits() -> None:
    assert started(order(follows=True), AGENT, "s", queued=True).follows
    assert not started(order(follows=True), AGENT, "s").follows


@pytest.mark.parametrize(
    ("wanted", "allowed", "expected"),
    [
        (None, None, (READ, WRITE)),
        ((), None, ()),
        ((THEIR_READ,), None, (WRITE, THEIR_READ)),
        (None, ("read",), (READ,)),
        (None, (), ()),
        # What a key may use of the server's tools says nothing of the client's own.
        ((THEIR_READ,), ("write",), (WRITE, THEIR_READ)),
        ((THEIR_READ,), ("read",), (THEIR_READ,)),
    ],
)
def test_which_tools_a_run_has(
    wanted: tuple[ToolSpec, ...] | None,
    allowed: tuple[str, ...] | None,
    expected: tuple[ToolSpec, ...],
) -> None:
    assert tools_for(AGENT, OFFERED, wanted, allowed) == expected


@pytest.mark.parametrize(
    ("agents", "asked", "expected"),
    [
        (None, ("deeds",), (READ, WRITE)),
        (None, ("nothing",), ()),
        (("read",), ("deeds",), (READ,)),
        (("deeds",), ("w*",), (WRITE,)),
    ],
)
def test_tools_are_named_by_their_set_or_with_a_star(
    agents: tuple[str, ...] | None, asked: tuple[str, ...], expected: tuple[ToolSpec, ...]
) -> None:
    agent = replace(AGENT, tools=agents)
    assert tools_for(agent, OFFERED, None, None, asked) == expected


budgets = st.none() | st.integers(1, 100)


@given(budgets, budgets)
def test_a_client_may_lower_a_budget_and_never_raise_it(
    ours: int | None, theirs: int | None
) -> None:
    agent = Agent("a", chain=None, limits=Limits(max_tokens=ours))
    limit = started(order(limits=Limits(max_tokens=theirs)), agent, "s").limits.max_tokens
    assert limit == min((n for n in (ours, theirs) if n is not None), default=None)


def test_rules_are_added_and_never_taken_away() -> None:
    policy = started(order(policy=Policy(("write", "read"), ("fly",))), AGENT, "s").policy
    assert judge(policy, "write", "pure").verdict == "ask"
    assert judge(policy, "fly", "pure").verdict == "deny"
    assert started(order(), AGENT, "s").policy == AGENT.policy


def refuse(wanted: Order, agent: Agent) -> None:
    refuse_too_long(wanted, started(wanted, agent, "s"))


def test_what_no_model_could_read_is_refused_unless_it_may_be_cut() -> None:
    agent = replace(AGENT, context_tokens=50)
    long = Order("key_1", (user("word " * 100),), "chat")
    with pytest.raises(BadRequest) as refused:
        refuse(long, agent)
    assert refused.value.code == "context_length_exceeded"
    assert "50" in refused.value.message
    refuse(replace(long, overlong="truncate"), agent)
    refuse(order(tools=()), agent)
    refuse(long, AGENT)


def test_a_long_conversation_is_refused_only_to_whoever_wants_it_whole() -> None:
    agent = replace(AGENT, context_tokens=400)
    talk = (user("word " * 100), ANSWER) * 9
    long = Order("key_1", (*talk, user("so?")), "chat")
    refuse(long, agent)
    with pytest.raises(BadRequest):
        refuse(replace(long, overlong="refuse"), agent)


def test_a_question_is_what_people_said_and_no_more_than_a_list_can_take() -> None:
    said = (User((Text("one"), Image("https://example.org/a.png"))), ANSWER, user("two"))
    assert question(said) == "one\ntwo"
    assert len(question((user("x" * 99_999),))) == QUESTION_LIMIT


def test_a_record_says_who_asked_what_and_whether_it_waits() -> None:
    wanted = order(user="ann", session_key="garden", parent="run_0", stored=False)
    record = record_of(wanted, started(wanted, AGENT, "s", queued=True), "run_1", 5.0)
    assert (record.id, record.tenant, record.model, record.session_id) == (
        "run_1",
        "key_1",
        "angelia",
        "s",
    )
    assert (record.user, record.session_key, record.parent) == ("ann", "garden", "run_0")
    assert (record.question, record.status, record.stored) == ("hi", "queued", False)
    assert (record.created_at, record.updated_at, record.last_seq) == (5.0, 5.0, 1)
    assert record_of(wanted, started(wanted, AGENT, "s"), "run_1", 5.0).status == "running"


def test_the_last_answer_is_the_last_that_has_words() -> None:
    assert last_answer((user("a"), ANSWER, user("b"), Assistant(()))) == "Before."
    assert last_answer((user("a"),)) == ""


def test_a_seeded_run_has_ended_with_what_was_said_and_served_nobody() -> None:
    wanted = Order("key_1", (), "fork", session_id="s", history=(user("a"), ANSWER))
    record, facts, told = seeded(wanted, AGENT, "run_1", 5.0)
    assert fold(facts).messages == (user("a"), ANSWER)
    assert (record.status, record.question, record.last_seq) == ("completed", "a", 2)
    assert told == Summary("Before.", Usage(), 0.0)


def test_a_conversation_that_was_edited_is_not_told_again() -> None:
    wanted = Order("key_1", (), "conversation", session_id="s", history=(user("a"), ANSWER))
    record, facts, told = seeded(wanted, AGENT, "run_1", 5.0)
    assert fold(facts).messages == (user("a"), ANSWER)
    assert (record.status, record.question, told) == ("completed", "a", None)
