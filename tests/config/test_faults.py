import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import fields

from angelia.config import ConfigError, File, Section, Settings
from tests.config.settling import AT, MODEL, WAYS, fault, settled


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[servr]", "'servr' is not a setting; did you mean 'server'?"),
        ("[server]\nprot = 1", "'server.prot' is not a setting; did you mean 'port'?"),
        (
            "[model.timeouts]\nconect = 1",
            "'model.timeouts.conect' is not a setting; did you mean 'connect'?",
        ),
        (
            "[chat]\nzzz = 1",
            "'chat.zzz' is not a setting; there are: tool_events, reasoning, on_disconnect",
        ),
        ('[server]\nport = "80"', "server.port: expected int, got str"),
        ("[server]\nport = 65536", "server.port: expected int <= 65535"),
        ("[server]\nport = -1", "server.port: expected int >= 0"),
        ("[server]\ncors_origins = [1]", "server.cors_origins[0]: expected str, got int"),
        ("server = 1", "server: expected object, got int"),
        ("[model]\nkey = 5", "model.key: expected str"),
        ("[tools]\nsandbox = 1", "tools.sandbox must be one of 'auto', 'bubblewrap', 'none'"),
        ("[tools]\nterminal_timeout = 601", "tools.terminal_timeout: expected float <= 600.0"),
        (
            '[chat]\ntool_events = "loud"',
            "chat.tool_events must be one of 'named', 'carrier', 'openwebui', 'off'",
        ),
        ('[sessions]\nwhen_busy = "queue"', "sessions.when_busy must be one of 'wait', 'refuse'"),
        (
            "[responses]\ntool_items = true",
            "responses.tool_items must be one of 'pair', 'mcp', 'off'",
        ),
        ("[limits]\nrequests_per_minute = 0", "limits.requests_per_minute: expected int >= 1"),
        (
            "[limits]\nconcurrent_runs = 1.5",
            "limits.concurrent_runs: expected int | null, got float",
        ),
        ("[limits]\ndaily_budget = 0", "limits.daily_budget: expected float > 0.0"),
        ("[limits]\nmonthly_budget = -1", "limits.monthly_budget: expected float > 0.0"),
        ("[agent]\nmax_cost = 0", "agent.max_cost: expected float > 0.0"),
        ("[retention]\ndays = 0", "retention.days: expected float > 0.0"),
        ("[prices.m]\ninput = 1", 'prices."m".output is missing'),
        ("[prices]\nm = 1", 'prices."m": expected object, got int'),
        ("prices = 1", "prices: expected object, got int"),
        (
            "[prices.a]\ninput = 1\noutput = 1\n[prices.b]\ninput = 1\noutput = -1",
            'prices."b".output: expected float >= 0.0',
        ),
        ("[prices.m]\ninput = inf\noutput = 1", 'prices."m".input: expected float <= 1000000.0'),
        ("[prices.m]\ninput = 1\noutput = nan", 'prices."m".output: expected float >= 0.0'),
        (
            "[prices.m]\ninput = 1\noutput = 1\ncache = 1",
            "'prices.\"m\".cache' is not a setting; did you mean 'cached'?"
            "; a name with a dot in it stands in quotes",
        ),
        (
            "[prices.gpt-5.4]\ninput = 1\noutput = 1",
            "'prices.\"gpt-5\".4' is not a setting; there are: input, output, cached, "
            "cache_written; a name with a dot in it stands in quotes",
        ),
        (
            '[prices."gpt*mini"]\ninput = 1\noutput = 1',
            'prices."gpt*mini": expected the name of a model, or its beginning and a *.',
        ),
        (
            '[prices.""]\ninput = 1\noutput = 1',
            'prices."": expected the name of a model, or its beginning and a *.',
        ),
        (
            '[users]\nopenwebui_secret = "s"\nopenwebui_secret_env = "S"',
            "users.openwebui_secret and users.openwebui_secret_env exclude each other; keep one.",
        ),
        (
            '[users]\nopenwebui_secret_env = "S"',
            "users.openwebui_secret_env names S, which is not set.",
        ),
        (
            '[users]\nopenwebui_secret = ""',
            "users.openwebui_secret is empty; leave it out or give one.",
        ),
        (
            '[users]\ntrusted_headers = ["X-Ok", "X User"]',
            "users.trusted_headers[1]: expected str matching regex '^[A-Za-z0-9-]+$'",
        ),
        ('[model]\nname = "m"', f"model.base_url is missing; {WAYS}"),
        (
            MODEL + 'key = "k"\nkey_env = "K"',
            "model.key and model.key_env exclude each other; keep one.",
        ),
        (MODEL + 'key_env = "K"', "model.key_env names K, which is not set."),
        (
            '[model]\nbase_url = "box"',
            "model.base_url: expected an address such as http://127.0.0.1:9100/v1.",
        ),
    ],
)
def test_a_fault_in_the_file_names_file_key_and_way_out(text: str, message: str):
    assert fault(text) == AT + message


def test_text_that_is_not_toml_is_named_with_its_place():
    assert fault("[server") == AT + "is not valid TOML: " + fault("[server").partition("TOML: ")[2]
    assert "line 1" in fault("[server]]")


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"ANGELIA_PORT": "x"}, "ANGELIA_PORT: server.port: expected int, got str"),
        ({"ANGELIA_PORT": "99999"}, "ANGELIA_PORT: server.port: expected int <= 65535"),
        (
            {"ANGELIA_APPROVALS": "maybe"},
            "ANGELIA_APPROVALS: approvals.mode must be one of 'ask', 'allow', 'deny'",
        ),
        (
            {"ANGELIA_PROTOCOL": "grpc"},
            "ANGELIA_PROTOCOL: model.protocol must be one of 'chat', 'responses', 'anthropic'",
        ),
        ({"ANGELIA_API_KEY": "short"}, "ANGELIA_API_KEY: needs at least 16 characters."),
        ({"ANGELIA_MODEL": "m"}, f"ANGELIA_MODEL: nothing says where the model is; {WAYS}"),
        (
            {"ANGELIA_UPSTREAM_KEY": "k"},
            f"ANGELIA_UPSTREAM_KEY: nothing says where the model is; {WAYS}",
        ),
        (
            {"ANGELIA_BASE_URL": "http://me:pass@box/v1"},
            "ANGELIA_BASE_URL: must not contain a password; use a key.",
        ),
        ({"ANGELIA_BASE_URL": "http://[::"}, "ANGELIA_BASE_URL: is not a valid address."),
        ({"ANGELIA_BASE_URL": "http://box:99999"}, "ANGELIA_BASE_URL: is not a valid address."),
    ],
)
def test_a_fault_in_the_environment_names_the_variable(environ: dict[str, str], message: str):
    assert fault("", environ) == message


def test_a_log_level_that_does_not_exist_is_refused():
    assert fault("", {"ANGELIA_LOG": "loud"}).startswith("ANGELIA_LOG: server.log: ")


def sections(kind: type = File, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    nested = [
        place
        for field in fields(kind)
        if isinstance(field.type, type) and issubclass(field.type, Section)
        for place in sections(field.type, (*path, field.name))
    ]
    return [path, *nested]


@given(st.sampled_from(sections()), st.from_regex(r"[a-z_]{1,12}", fullmatch=True))
def test_an_unknown_key_at_any_level_is_named(place: tuple[str, ...], key: str):
    kind = File
    for name in place:
        kind = next(field.type for field in fields(kind) if field.name == name)
    assume(key not in kind.__struct_fields__)
    header = f"[{'.'.join(place)}]\n" if place else ""
    assert f"{'.'.join((*place, key))!r} is not a setting; " in fault(f"{header}{key} = 1")


@given(
    st.text(alphabet="[]=.\"'\n abckeymodlsrvt0123"),
    st.dictionaries(
        st.sampled_from(["ANGELIA_PORT", "ANGELIA_MODEL", "ANGELIA_BASE_URL", "OPENAI_API_KEY"]),
        st.text(),
    ),
)
def test_whatever_is_given_there_are_settings_or_a_config_error(text, environ):
    try:
        assert isinstance(settled(text, environ), Settings)
    except ConfigError:
        return
