from pathlib import Path

import pytest

from angelia.config import (
    AgentSettings,
    Allowance,
    ModelSettings,
    ProviderSettings,
    Responses,
    Secret,
    Timeouts,
    Users,
)
from angelia.core.policy import Limits, Policy, Rule
from angelia.core.prices import Price
from tests.config.settling import HOME, settled


def test_without_anything_the_documented_defaults_hold():
    settings = settled()
    assert settings.home == HOME
    assert settings.workspace == HOME / "workspace"
    assert (settings.server.host, settings.server.port) == ("127.0.0.1", 8642)
    assert (settings.server.log_level, settings.server.log_form) == ("info", "text")
    assert settings.server.body_limit == 20 * 1024 * 1024
    assert settings.agent.limits == Limits(max_steps=50)
    assert settings.approvals.policy == Policy(irreversible="ask", network="ask")
    assert (settings.models, settings.api_key, settings.mcp_config) == ((), None, None)
    assert settings.agents == (AgentSettings("angelia", (), limits=Limits(max_steps=50)),)
    assert settings.model_line == "demo"
    assert (settings.responses.tool_items, settings.responses.on_disconnect) == (None, "cancel")
    assert settings.sessions.when_busy == "wait"
    assert settings.users == Users()
    assert (settings.limits, settings.prices) == (Allowance(), {})
    assert settings.retention.days is None


def test_the_file_says_everything():
    settings = settled("""
        [server]
        host = "0.0.0.0"
        port = 80
        body_limit = 5
        cors_origins = ["http://a"]
        keep_alive = 1.5
        drain = 0
        log = "debug"
        [model]
        base_url = "http://box:1234/v1"
        protocol = "responses"
        name = "m"
        key = "k"
        retries = 0
        think_tags = "open"
        text_calls = true
        timeouts = { connect = 1, first_token = 2, between_chunks = 3 }
        [agent]
        name = "a"
        instructions = "i"
        max_steps = 1
        max_tokens = 2
        max_seconds = 3
        max_cost = 4.5
        tools = []
        unknown_model = "reject"
        [tools]
        workspace = "elsewhere"
        sandbox = "none"
        terminal_timeout = 5
        mcp_config = "/etc/mcp.json"
        [approvals]
        mode = "ask"
        ask = ["terminal"]
        deny = ["irreversible"]
        [chat]
        tool_events = "off"
        reasoning = false
        on_disconnect = "continue"
        [responses]
        tool_items = "mcp"
        on_disconnect = "continue"
        [sessions]
        when_busy = "refuse"
        [users]
        openwebui_secret = "s"
        trusted_headers = ["X-User"]
        [limits]
        requests_per_minute = 1
        concurrent_runs = 2
        daily_budget = 3
        monthly_budget = 4
        [prices."gpt-5.4"]
        input = 1
        output = 2
        [prices."claude-*"]
        input = 3
        output = 4
        cached = 0
        cache_written = 5.5
        [retention]
        days = 0.5
    """)
    assert settings.workspace == HOME / "elsewhere"
    assert settings.mcp_config == Path("/etc/mcp.json")
    assert settings.agent.limits == Limits(1, 2, 3, 4.5)
    expected = Policy(("terminal",), ("irreversible",), (), "ask", "ask")
    assert settings.approvals.policy == expected
    assert settings.chain == (
        ModelSettings(
            "default",
            ProviderSettings(
                "default",
                "http://box:1234/v1",
                "responses",
                "angelia.toml [model]",
                (Secret("k"),),
                timeouts=Timeouts(1, 2, 3),
                retries=0,
            ),
            "m",
            "angelia.toml [model]",
            think_tags="open",
            text_calls=True,
        ),
    )
    assert settings.model_line == "m at box:1234 (angelia.toml [model])"
    assert settings.responses == Responses("mcp", "continue")
    assert settings.sessions.when_busy == "refuse"
    assert settings.users == Users(Secret("s"), trusted_headers=("X-User",))
    assert settings.limits == Allowance(1, 2, 3, 4)
    assert settings.prices == {"gpt-5.4": Price(1, 2), "claude-*": Price(3, 4, 0, 5.5)}
    assert settings.retention.days == 0.5


@pytest.mark.parametrize(
    ("mode", "policy"),
    [
        ("ask", Policy(("terminal",), ("x",), (), "ask", "ask")),
        ("allow", Policy((), ("x",), (Rule("allow", tool="terminal"),))),
        ("deny", Policy((), ("x",), (Rule("deny", tool="terminal"),), "deny", "deny")),
    ],
)
def test_the_mode_of_approvals_makes_the_policy(mode: str, policy: Policy):
    text = '[approvals]\nask = ["terminal"]\ndeny = ["x"]'
    assert settled(text, {"ANGELIA_APPROVALS": mode}).approvals.policy == policy
