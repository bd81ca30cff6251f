from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import fields

from angelia.config import (
    ConfigError,
    File,
    Secret,
    Section,
    Settings,
    Timeouts,
    Upstream,
    is_loopback,
    load,
    settle,
)
from angelia.core.policy import Limits, Policy

HOME = Path("/home/me/.angelia")
OPENAI = {"OPENAI_API_KEY": "sk-openai"}
ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-anthropic"}
OPENROUTER = {"OPENROUTER_API_KEY": "sk-openrouter"}
BASE = {"ANGELIA_BASE_URL": "http://127.0.0.1:9100/v1/"}
LOCAL = "http://127.0.0.1:9100/v1"
MODEL = '[model]\nbase_url = "http://box:1234/v1"\n'


def settled(text: str = "", environ: dict[str, str] | None = None) -> Settings:
    return settle(text, environ or {}, HOME)


def fault(text: str = "", environ: dict[str, str] | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        settled(text, environ)
    return str(caught.value)


def test_without_anything_the_documented_defaults_hold():
    settings = settled()
    assert settings.home == HOME
    assert settings.workspace == HOME / "workspace"
    assert (settings.server.host, settings.server.port) == ("127.0.0.1", 8642)
    assert (settings.server.log_level, settings.server.log_form) == ("info", "text")
    assert settings.server.body_limit == 20 * 1024 * 1024
    assert settings.agent.limits == Limits(max_steps=50)
    assert settings.approvals.policy == Policy()
    assert (settings.upstream, settings.api_key, settings.mcp_config) == (None, None, None)
    assert settings.model_line == "demo"


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
        timeouts = { connect = 1, first_token = 2, between_chunks = 3 }
        [agent]
        name = "a"
        instructions = "i"
        max_steps = 1
        max_tokens = 2
        max_seconds = 3
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
    """)
    assert settings.workspace == HOME / "elsewhere"
    assert settings.mcp_config == Path("/etc/mcp.json")
    assert settings.agent.limits == Limits(1, 2, 3)
    assert settings.approvals.policy == Policy(("terminal",), ("irreversible",))
    assert settings.upstream == Upstream(
        "http://box:1234/v1",
        "responses",
        "m",
        "angelia.toml [model]",
        Secret("k"),
        Timeouts(1, 2, 3),
        0,
    )
    assert settings.model_line == "m at box:1234 (angelia.toml [model])"


@pytest.mark.parametrize(
    ("variable", "value", "seen"),
    [
        ("ANGELIA_HOST", "::1", lambda s: s.server.host == "::1"),
        ("ANGELIA_PORT", "0", lambda s: s.server.port == 0),
        ("ANGELIA_LOG", "DEBUG,json", lambda s: s.server.log_level == "debug"),
        ("ANGELIA_LOG", "error,json", lambda s: s.server.log_form == "json"),
        ("ANGELIA_WORKSPACE", "/w", lambda s: s.workspace == Path("/w")),
        ("ANGELIA_SANDBOX", "bubblewrap", lambda s: s.tools.sandbox == "bubblewrap"),
        ("ANGELIA_APPROVALS", "allow", lambda s: s.approvals.mode == "allow"),
        ("ANGELIA_MCP_CONFIG", "/m.json", lambda s: s.mcp_config == Path("/m.json")),
        ("ANGELIA_API_KEY", "k" * 16, lambda s: s.api_key == Secret("k" * 16)),
        ("ANGELIA_PORT", "", lambda s: s.server.port == 1),
    ],
)
def test_a_variable_overrides_the_file_unless_it_is_empty(variable, value, seen):
    text = """
        [server]
        host = "h"
        port = 1
        log = "info"
        [tools]
        workspace = "w"
        sandbox = "none"
        [approvals]
        mode = "deny"
    """
    assert not seen(settled(text)) or value == ""
    assert seen(settled(text, {variable: value}))


@pytest.mark.parametrize(
    ("mode", "policy"),
    [
        ("ask", Policy(("terminal",), ("x",))),
        ("allow", Policy((), ("x",))),
        ("deny", Policy((), ("x", "terminal"))),
    ],
)
def test_the_mode_of_approvals_makes_the_policy(mode: str, policy: Policy):
    text = '[approvals]\nask = ["terminal"]\ndeny = ["x"]'
    assert settled(text, {"ANGELIA_APPROVALS": mode}).approvals.policy == policy


# ── which model ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "environ", "expected"),
    [
        ("", {}, None),
        ("", {**OPENAI, "ANGELIA_MODEL": "demo"}, None),
        ('[model]\nname = "demo"\nkey_env = "UNSET"', OPENAI, None),
        ("", OPENAI, ("https://api.openai.com/v1", "chat", "gpt-5.4", "OPENAI_API_KEY")),
        (
            "",
            {**ANTHROPIC, **OPENROUTER},
            ("https://api.anthropic.com", "anthropic", "claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ),
        (
            "",
            OPENROUTER,
            ("https://openrouter.ai/api/v1", "chat", "openrouter/auto", "OPENROUTER_API_KEY"),
        ),
        (
            "",
            {**OPENAI, **ANTHROPIC, "ANGELIA_PROTOCOL": "anthropic", "ANGELIA_MODEL": "m"},
            ("https://api.anthropic.com", "anthropic", "m", "ANTHROPIC_API_KEY"),
        ),
        (
            "",
            {**OPENAI, "ANGELIA_PROTOCOL": "responses"},
            ("https://api.openai.com/v1", "responses", "gpt-5.4", "OPENAI_API_KEY"),
        ),
        (
            '[model]\nname = "m"',
            OPENAI,
            ("https://api.openai.com/v1", "chat", "m", "OPENAI_API_KEY"),
        ),
        (MODEL, OPENAI, ("http://box:1234/v1", "chat", "default", "angelia.toml [model]")),
        (
            MODEL + 'name = "m"',
            {"ANGELIA_MODEL": "n"},
            ("http://box:1234/v1", "chat", "n", "angelia.toml [model]"),
        ),
        ("", BASE, (LOCAL, "chat", "default", "ANGELIA_BASE_URL")),
        (
            MODEL + 'name = "m"\nprotocol = "anthropic"',
            {**BASE, **OPENAI},
            (LOCAL, "chat", "m", "ANGELIA_BASE_URL"),
        ),
        (
            MODEL,
            {**BASE, "ANGELIA_PROTOCOL": "anthropic", "ANGELIA_MODEL": "x"},
            (LOCAL, "anthropic", "x", "ANGELIA_BASE_URL"),
        ),
    ],
)
def test_which_model_is_in_force_and_why(text, environ, expected):
    upstream = settled(text, environ).upstream
    found = upstream and (upstream.base_url, upstream.protocol, upstream.model, upstream.source)
    assert found == expected


@pytest.mark.parametrize(
    ("text", "environ", "key"),
    [
        ("", OPENAI, "sk-openai"),
        ("", {**OPENAI, "ANGELIA_UPSTREAM_KEY": "own"}, "own"),
        ("", BASE, None),
        ("", {**BASE, "ANGELIA_UPSTREAM_KEY": "own", **OPENAI}, "own"),
        ("", {**BASE, **OPENAI, **ANTHROPIC}, "sk-openai"),
        ("", {**BASE, **ANTHROPIC}, None),
        ("", {**BASE, **OPENROUTER}, "sk-openrouter"),
        ("", {**BASE, **OPENAI, **ANTHROPIC, "ANGELIA_PROTOCOL": "anthropic"}, "sk-anthropic"),
        (
            "",
            {"ANGELIA_BASE_URL": "https://openrouter.ai/x", **OPENAI, **OPENROUTER},
            "sk-openrouter",
        ),
        (MODEL + 'key = "file"', BASE, None),
        (MODEL + 'key = "file"', OPENAI, "file"),
        (MODEL + 'key_env = "MINE"', {"MINE": "mine"}, "mine"),
        (MODEL + 'key = "file"', {"ANGELIA_UPSTREAM_KEY": "own"}, "own"),
        (MODEL, OPENAI, "sk-openai"),
    ],
)
def test_which_key_goes_with_it(text, environ, key):
    upstream = settled(text, environ).upstream
    assert upstream is not None
    assert (upstream.key and upstream.key.reveal()) == key


# ── faults ──────────────────────────────────────────────────────────────────────────────────

AT = "/home/me/.angelia/angelia.toml: "
WAYS = "set ANGELIA_BASE_URL or one of OPENAI_API_KEY, ANTHROPIC_API_KEY, OPENROUTER_API_KEY."


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


def test_no_key_is_shown_by_repr_or_error():
    key = "very-secret-key-0123456789"
    environ = {**BASE, "ANGELIA_API_KEY": key, "ANGELIA_UPSTREAM_KEY": key, "OPENAI_API_KEY": key}
    text = MODEL + f'key = "{key}"'
    settings = settled(text, environ)
    assert key not in repr(settings) + str(settings) + settings.model_line
    assert "***" in repr(settings)
    for bad in (f'key_env = "{key}x"\n', "zzz = 1\n", "timeouts = 5\n"):
        assert f'"{key}"' not in fault(text + "\n" + bad, {"ANGELIA_UPSTREAM_KEY": key})


def test_a_secret_equals_only_the_same_secret():
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1
    assert f"{Secret('a')}" == "***"


# ── the file itself ─────────────────────────────────────────────────────────────────────────


def test_the_file_is_read_from_the_home_folder(tmp_path: Path):
    (tmp_path / "angelia.toml").write_text("[server]\nport = 7")
    assert load({"ANGELIA_HOME": str(tmp_path)}).server.port == 7
    assert load({"ANGELIA_HOME": "/nowhere"}, home=tmp_path).server.port == 7
    assert load({"ANGELIA_HOME": str(tmp_path / "none")}).server.port == 8642


def test_flags_win_over_the_environment(tmp_path: Path):
    environ = {"ANGELIA_HOME": "/nowhere", "ANGELIA_PORT": "1"}
    flags = {"ANGELIA_HOME": str(tmp_path), "ANGELIA_PORT": "2"}
    settings = load(environ, overrides=flags)
    assert (settings.home, settings.server.port) == (tmp_path, 2)


def test_paths_in_the_environment_count_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/you")
    settings = load({"ANGELIA_HOME": "h", "ANGELIA_WORKSPACE": "w", "ANGELIA_MCP_CONFIG": "~/m"})
    assert settings.home == tmp_path / "h"
    assert settings.workspace == tmp_path / "w"
    assert settings.mcp_config == Path("/home/you/m")
    assert load({}).home == Path("/home/you/.angelia")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    (tmp_path / "angelia.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        load({}, home=tmp_path)
    (tmp_path / "folder" / "angelia.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load({}, home=tmp_path / "folder")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("LOCALHOST", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.0.1", False),
        ("localhost.example", False),
    ],
)
def test_what_only_this_machine_can_reach(host: str, loopback: bool):
    assert is_loopback(host) is loopback
