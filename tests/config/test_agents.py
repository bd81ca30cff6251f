import pytest

from angelia.config import AgentSettings
from angelia.core.policy import Limits
from tests.config.settling import AT, BASE, LOCAL, MODEL, NAMED, OPENAI, WAYS, fault, settled

AGENT = "[agent]\n"
DEMO = {"ANGELIA_MODEL": "demo"}


def chains(text: str, environ: dict[str, str] | None = None) -> dict[str, list[str]]:
    """The models that each agent asks, by name; without those that are a model by its name."""
    given = {**OPENAI, **(environ or {})}
    agents = settled(NAMED + text, given).agents
    return {
        agent.name: [model.name for model in agent.chain]
        for agent in agents
        if agent.name not in ("fast", "slow")
    }


@pytest.mark.parametrize(
    ("text", "environ", "chain"),
    [
        ("", {}, ["fast"]),
        (AGENT + 'model = "slow"', {}, ["slow"]),
        (AGENT + 'fallback = ["slow"]', {}, ["fast", "slow"]),
        (AGENT + 'model = "slow"\nfallback = ["fast"]', {}, ["slow", "fast"]),
        (MODEL, {}, ["default"]),
        (MODEL + AGENT + 'model = "slow"\nfallback = ["default"]', {}, ["slow", "default"]),
        (AGENT + 'model = "demo"', {}, []),
        (AGENT + 'fallback = ["slow"]', DEMO, []),
        (AGENT + 'model = "slow"', DEMO, []),
        (AGENT + 'model = "slow"\nfallback = ["fast"]', BASE, ["default", "fast"]),
        (MODEL + AGENT + 'model = "fast"\nfallback = ["default"]', BASE, ["default"]),
        (AGENT + 'fallback = ["slow"]', {"ANGELIA_MODEL": "slow"}, ["slow"]),
        (MODEL, {"ANGELIA_MODEL": "slow"}, ["slow"]),
        (MODEL + AGENT + 'model = "slow"', {"ANGELIA_MODEL": "other"}, ["default"]),
        ("", {"ANGELIA_MODEL": "gpt-x"}, ["default"]),
    ],
)
def test_the_default_agent_asks_these_models_in_this_order(text, environ, chain) -> None:
    assert chains(text, environ) == {"angelia": chain}


def test_a_name_in_the_environment_is_that_of_a_named_model_or_of_the_plain_one() -> None:
    def first(text: str, **environ: str) -> tuple[str, str]:
        model = settled(NAMED + text, {**OPENAI, **environ}).chain[0]
        return model.model, model.provider.base_url

    assert first(MODEL, ANGELIA_MODEL="slow") == ("gpt-5.4", "https://api.openai.com/v1")
    assert first(MODEL, ANGELIA_MODEL="x") == ("x", "http://box:1234/v1")
    assert first("", ANGELIA_MODEL="x") == ("x", "https://api.openai.com/v1")
    assert first("", ANGELIA_MODEL="slow", **BASE) == ("slow", LOCAL)


OTHERS = """
[agent]
name = "main"
model = "slow"
[agents.scout]
[agents.writer]
model = "fast"
fallback = ["slow"]
"""


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, {"main": ["slow"], "scout": ["slow"], "writer": ["fast", "slow"]}),
        (BASE, {"main": ["default"], "scout": ["default"], "writer": ["fast", "slow"]}),
        (DEMO, {"main": [], "scout": [], "writer": ["fast", "slow"]}),
    ],
)
def test_an_agent_that_names_no_model_asks_the_default_one(environ, expected) -> None:
    assert chains(OTHERS, environ) == expected


def test_an_agent_has_its_own_everything() -> None:
    text = (
        NAMED
        + """
        [agent]
        instructions = "not for the others"
        max_steps = 1
        [agents.writer]
        instructions = "write"
        model = "slow"
        fallback = ["fast"]
        summary_model = "fast"
        hedge_after = 2.5
        max_steps = 2
        max_tokens = 3
        max_seconds = 4
        max_cost = 5
        max_repeats = 0
        tools = ["read_file"]
        [agents.plain]
    """
    )
    settings = settled(text, OPENAI)
    fast, slow = settings.models
    assert settings.agents[1:3] == (
        AgentSettings(
            "writer",
            (slow, fast),
            fast,
            2.5,
            0,
            "write",
            Limits(2, 3, 4, 5),
            ("read_file",),
        ),
        AgentSettings("plain", (fast,), limits=Limits(max_steps=50)),
    )


def test_the_name_of_a_model_is_the_default_agent_with_that_model_alone() -> None:
    text = """
        [agent]
        instructions = "be kind"
        fallback = ["slow"]
        hedge_after = 1
        [agents.slow]
        instructions = "an agent of that name goes first"
    """
    first, agent, model = settled(NAMED + text, OPENAI).agents
    assert (agent.name, agent.instructions) == ("slow", "an agent of that name goes first")
    assert (model.name, model.instructions, model.hedge_after) == ("fast", "be kind", None)
    assert [chosen.name for chosen in model.chain] == ["fast"]
    assert [chosen.name for chosen in first.chain] == ["fast", "slow"]


def test_the_line_for_people_names_the_whole_chain() -> None:
    line = settled(NAMED + AGENT + 'fallback = ["slow"]', OPENAI).model_line
    assert line == "fast at box:1234 (angelia.toml [models.fast]), then gpt-5.4 at api.openai.com"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (AGENT + 'model = "fats"', "agent.model: there is no model 'fats'; did you mean 'fast'?"),
        (
            '[agents.a]\nfallback = ["zzz"]',
            "agents.\"a\".fallback: there is no model 'zzz'; there are: fast, slow",
        ),
        (
            AGENT + 'summary_model = "demo"',
            "agent.summary_model: there is no model 'demo'; there are: fast, slow",
        ),
        (
            AGENT + 'fallback = ["slow", "slow"]',
            "agent.fallback: names 'slow' twice; keep one.",
        ),
        (AGENT + 'fallback = ["fast"]', "agent.fallback: 'fast' falls back to itself."),
        (
            '[agents.a]\nmodel = "slow"\nfallback = ["fast", "slow"]',
            "agents.\"a\".fallback: 'slow' falls back to itself.",
        ),
        (
            AGENT + "hedge_after = 2",
            "agent.hedge_after: needs another model to ask; add a fallback.",
        ),
        (AGENT + "hedge_after = 0", "agent.hedge_after: expected float > 0.0"),
        (AGENT + "max_repeats = -1", "agent.max_repeats: expected int >= 0"),
        (
            "[agents.angelia]",
            'agents."angelia": is the name of [agent] already; rename one of them.',
        ),
        ('[agents."a:b"]', 'agents."a:b": a name must not contain a colon; choose another.'),
        (
            AGENT + 'name = "a:bare"',
            "agent.name: a name must not contain a colon; choose another.",
        ),
        (
            '[agents.a]\nname = "b"',
            "'agents.\"a\".name' is not a setting; there are: instructions, model, fallback, "
            "summary_model, hedge_after, max_steps, max_tokens, max_seconds, max_cost, "
            "max_repeats, tools; a name with a dot in it stands in quotes",
        ),
    ],
)
def test_a_fault_of_an_agent_names_it_and_the_way_out(text: str, message: str) -> None:
    assert fault(NAMED + text, OPENAI) == AT + message


def test_without_models_the_way_out_is_to_add_one() -> None:
    message = "agent.model: there is no model 'm'; add it as a section [models.NAME]"
    assert fault(AGENT + 'model = "m"') == AT + message


def test_a_variable_for_a_model_that_is_nowhere_is_refused_beside_named_models() -> None:
    local = '[providers.box]\nbase_url = "http://box"\n[models.fast]\nprovider = "box"'
    message = f"ANGELIA_MODEL: nothing says where the model is; {WAYS}"
    assert fault(local, {"ANGELIA_MODEL": "m"}) == message[:-1] + ", or name one of fast."
    assert fault(local, {"ANGELIA_UPSTREAM_KEY": "k"}) == (
        "ANGELIA_UPSTREAM_KEY: is for ANGELIA_BASE_URL or [model]; models with names have the "
        "keys of their providers."
    )
