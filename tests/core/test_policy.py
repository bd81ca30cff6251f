import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import Effect, Usage
from angelia.core.policy import (
    Limits,
    Policy,
    Rule,
    Touched,
    answered,
    grants_for,
    is_granted,
    judge,
    spent,
    stricter,
)

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


# ── rules ───────────────────────────────────────────────────────────────────────────────────


def verdict(rule: Rule, tool: str = "terminal", **touched: object) -> str:
    return judge(Policy(rules=(rule,)), tool, "irreversible", Touched(**touched)).verdict


@pytest.mark.parametrize(
    ("rule", "touched", "expected"),
    [
        (Rule("ask", tool="term*"), {}, "ask"),
        (Rule("ask", tool="web"), {}, "allow"),
        (Rule("ask", effect="irreversible"), {}, "ask"),
        (Rule("ask", effect="pure"), {}, "allow"),
        (Rule("deny", command="rm *"), {"command": "rm x"}, "deny"),
        (Rule("deny", command="rm *"), {"command": "ls && rm x"}, "deny"),
        (Rule("deny", command="rm *"), {"command": "ls $(rm x)"}, "deny"),
        (Rule("deny", command="rm *"), {"command": "ls"}, "allow"),
        (Rule("deny", command="rm *"), {}, "allow"),
        (Rule("deny", path="secrets"), {"paths": ("secrets/a/b",)}, "deny"),
        (Rule("deny", path="secrets"), {"paths": ("docs/../secrets/a",)}, "deny"),
        (Rule("deny", path="*.env"), {"paths": ("readme.md", "app/.env")}, "deny"),
        (Rule("deny", path="secrets"), {"paths": ("secretsx",)}, "allow"),
        (Rule("deny", domain="example.com"), {"hosts": ("API.Example.com.",)}, "deny"),
        (Rule("deny", domain="example.com"), {"hosts": ("badexample.com",)}, "allow"),
        (Rule("deny", network=True), {"network": True}, "deny"),
        (Rule("deny", network=True), {}, "allow"),
        (Rule("deny", tool="terminal", command="rm *"), {"command": "ls"}, "allow"),
    ],
)
def test_a_rule_decides_about_calls_that_fit_all_it_names(rule, touched, expected):
    assert verdict(rule, **touched) == expected


def allowing(rule: Rule, tool: str, **touched: object) -> bool:
    policy = Policy(ask=(tool,), rules=(rule,))
    return judge(policy, tool, "irreversible", Touched(**touched)).verdict == "allow"


@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        ("git status", True),
        ("git status --short", True),
        ("git status; git status -s", True),
        ("git status; rm x", False),
        ("git status && rm x", False),
        ("git status | sh", False),
        ("git status & rm x", False),
        ("git status\nrm x", False),
        ("git status $(rm x)", False),
        ("git status `rm x`", False),
        ("git status \"'$(rm x)'\"", False),
        ("git status > ~/.bashrc", False),
        ("X=1 git status", False),
        ("rm x # git status", False),
        ("", False),
    ],
)
def test_a_rule_that_allows_a_command_allows_nothing_besides(line, allowed):
    rule = Rule("allow", tool="terminal", command="git status*")
    assert allowing(rule, "terminal", command=line) is allowed


@pytest.mark.parametrize(
    ("paths", "allowed"),
    [
        (("docs/a.md",), True),
        (("docs/a.md", "docs/b/c.md"), True),
        (("docs/a.md", "src/a.py"), False),
        (("docs/../.env",), False),
        ((), False),
    ],
)
def test_a_rule_that_allows_a_folder_allows_what_is_in_it_alone(paths, allowed):
    assert allowing(Rule("allow", path="docs"), "save", paths=paths) is allowed


@pytest.mark.parametrize(
    ("hosts", "allowed"),
    [
        (("example.com",), True),
        (("a.example.com", "example.com"), True),
        (("example.com", "evil.com"), False),
        (("example.com.evil.com",), False),
        ((), False),
    ],
)
def test_a_rule_that_allows_a_domain_allows_no_other(hosts, allowed):
    assert allowing(Rule("allow", domain="example.com"), "fetch", hosts=hosts) is allowed


@given(st.lists(st.sampled_from([";", "&&", "|", "&", "\n", "$(", "`", ">"]), min_size=1))
def test_whatever_joins_commands_a_rule_for_one_does_not_allow_the_other(joints):
    rule = Rule("allow", command="git status*")
    line = "git status" + "".join(f" {joint} rm x" for joint in joints)
    assert not allowing(rule, "terminal", command=line)


def test_of_several_rules_the_first_that_fits_decides():
    rules_ = (Rule("allow", command="git push"), Rule("deny", command="git *"))
    for line, expected in (("git push", "allow"), ("git pull", "deny"), ("ls", "allow")):
        touched = Touched(command=line)
        assert judge(Policy(rules=rules_), "terminal", "irreversible", touched).verdict == expected


# ── policies together ───────────────────────────────────────────────────────────────────────

STRICTNESS = ["allow", "ask", "deny"]
verdicts = st.sampled_from(STRICTNESS)
lines = st.sampled_from(["", "git status", "git status; rm x", "rm x", "ls $(rm x)"])
touches = st.builds(
    Touched,
    command=lines,
    paths=st.lists(st.sampled_from(["docs/a", "src/b"]), max_size=2).map(tuple),
    hosts=st.lists(st.sampled_from(["example.com", "evil.com"]), max_size=2).map(tuple),
    network=st.booleans(),
    harmless=st.booleans(),
)
any_rule = st.builds(
    Rule,
    verdicts,
    tool=st.sampled_from(["*", "look", "send"]),
    effect=st.sampled_from([None, "pure", "irreversible"]),
    command=st.sampled_from([None, "git status*", "rm*"]),
    path=st.sampled_from([None, "docs"]),
    domain=st.sampled_from([None, "example.com"]),
    network=st.sampled_from([None, True, False]),
)
policies = st.builds(
    Policy,
    ask=rules,
    deny=rules,
    rules=st.lists(any_rule, max_size=3).map(tuple),
    irreversible=verdicts,
    network=verdicts,
)


def strictness(policy: Policy, tool: str, effect: Effect, touched: Touched) -> int:
    return STRICTNESS.index(judge(policy, tool, effect, touched).verdict)


@given(policies, policies, tools, effects, touches)
def test_of_two_policies_the_stricter_decides(ours, theirs, tool, effect, touched):
    both = strictness(stricter(ours, theirs), tool, effect, touched)
    each = [strictness(policy, tool, effect, touched) for policy in (ours, theirs)]
    assert both == max(each)


@given(policies, policies, st.sampled_from(["allow", "deny"]), tools, effects, touches)
def test_an_answer_for_everybody_answers_questions_and_changes_nothing_else(
    ours, theirs, answer, tool, effect, touched
):
    policy = stricter(ours, theirs)
    before = judge(policy, tool, effect, touched).verdict
    after = judge(answered(policy, answer), tool, effect, touched).verdict
    if answer == "deny" or theirs == Policy() or ours == Policy():
        assert after == (answer if before == "ask" else before)
    else:
        assert after != "ask"


# ── grants ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("touched", "granted"),
    [
        (Touched(), ("send",)),
        (Touched(command="git push origin main"), ("send git push",)),
        (Touched(command="git push && npm test"), ("send git push", "send npm test")),
        (Touched(command="bash -c 'rm x'"), ("send bash -c 'rm x'",)),
        (Touched(hosts=("a.com", "b.com")), ("send a.com", "send b.com")),
        (Touched(paths=("a", "a", "b")), ("send a", "send b")),
    ],
)
def test_what_is_granted_is_what_the_call_touched(touched, granted):
    assert grants_for("send", touched) == granted
    assert is_granted(frozenset(granted), "send", touched)
    assert is_granted(frozenset({"send"}), "send", touched)
    assert not is_granted(frozenset(), "send", touched)


@pytest.mark.parametrize(
    ("granted", "line"),
    [
        ("git push", "git push; rm x"),
        ("git push", "git pull"),
        ("git push", "git push $(rm x)"),
        ("python a.py", "python b.py"),
        ("bash -c ls", "bash -c 'rm x'"),
        ("rm x", "sudo rm x"),
    ],
)
def test_a_grant_of_a_command_covers_no_other(granted, line):
    held = frozenset(grants_for("terminal", Touched(command=granted)))
    assert is_granted(held, "terminal", Touched(command=granted))
    assert not is_granted(held, "terminal", Touched(command=line))
    assert not is_granted(held, "process", Touched(command=granted))
