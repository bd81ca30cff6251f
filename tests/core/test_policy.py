import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import Usage
from angelia.core.policy import Limits, Policy, Rule, Touched, judge, spent

rules = st.lists(st.sampled_from(["look", "send", "pure", "irreversible"]), max_size=3).map(tuple)
tools = st.sampled_from(["look", "send"])
effects = st.sampled_from(["pure", "idempotent", "irreversible"])


@pytest.mark.parametrize(
    ("policy", "verdict"),
    [
        (Policy(), "allow"),
        (Policy(ask=("send",)), "ask"),
        (Policy(ask=("irreversible",)), "ask"),
        (Policy(deny=("send",)), "deny"),
        (Policy(deny=("irreversible",)), "deny"),
        (Policy(ask=("send",), deny=("irreversible",)), "deny"),
        (Policy(ask=("look", "pure"), deny=("look", "pure")), "allow"),
    ],
)
def test_a_rule_names_a_tool_or_an_effect_and_the_stricter_wins(policy, verdict):
    assert judge(policy, "send", "irreversible").verdict == verdict


@pytest.mark.parametrize(
    ("policy", "verdict"),
    [
        (Policy(irreversible="ask"), "ask"),
        (Policy(ask=("irreversible",)), "ask"),
        (Policy(deny=("irreversible",)), "deny"),
        (Policy(rules=(Rule("deny", effect="irreversible"),)), "deny"),
        (Policy(rules=(Rule("allow", effect="idempotent"),), irreversible="ask"), "ask"),
        (Policy(rules=(Rule("allow", command="make *"),), irreversible="ask"), "allow"),
    ],
)
def test_whoever_gives_a_command_may_do_anything_by_it(policy, verdict):
    assert judge(policy, "type", "idempotent", Touched(command="make all")).verdict == verdict
    assert judge(policy, "type", "idempotent", Touched(harmless=True)).verdict == "allow"


@given(rules, rules, st.sampled_from(["look", "send", "pure"]), tools, effects)
def test_a_further_rule_never_makes_a_policy_milder(ask, deny, rule, tool, effect):
    strictness = ["allow", "ask", "deny"]
    before = strictness.index(judge(Policy(ask, deny), tool, effect).verdict)
    assert strictness.index(judge(Policy((*ask, rule), deny), tool, effect).verdict) >= before
    assert strictness.index(judge(Policy(ask, (*deny, rule)), tool, effect).verdict) >= before


@pytest.mark.parametrize(
    ("limits", "steps", "tokens", "limit"),
    [
        (Limits(), 10**6, 10**9, None),
        (Limits(max_steps=3), 2, 0, None),
        (Limits(max_steps=3), 3, 0, "max_steps"),
        (Limits(max_steps=0), 0, 0, "max_steps"),
        (Limits(max_tokens=50), 9, 49, None),
        (Limits(max_tokens=50), 9, 50, "max_tokens"),
        (Limits(max_seconds=0.0), 9, 9, None),
    ],
)
def test_a_budget_is_spent_when_it_is_reached(limits, steps, tokens, limit):
    assert spent(limits, steps, Usage(input=tokens // 2, output=tokens - tokens // 2)) == limit
