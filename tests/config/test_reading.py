from pathlib import Path

import pytest

from angelia.config import ConfigError, Secret, load
from tests.config.settling import settled


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
    (tmp_path / "m").write_text('{"mcpServers": {}}')
    settings = load({"ANGELIA_HOME": "h", "ANGELIA_WORKSPACE": "w", "ANGELIA_MCP_CONFIG": "m"})
    assert settings.home == tmp_path / "h"
    assert settings.workspace == tmp_path / "w"
    assert settings.mcp_config == tmp_path / "m"
    assert load({}).home == Path("/home/you/.angelia")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    (tmp_path / "angelia.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        load({}, home=tmp_path)
    (tmp_path / "folder" / "angelia.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load({}, home=tmp_path / "folder")


@pytest.mark.parametrize(
    ("text", "environ", "secret"),
    [
        ("", {"JWT": "from-environment"}, None),
        ('[users]\nopenwebui_secret = "from-file"', {}, "from-file"),
        ('[users]\nopenwebui_secret_env = "JWT"', {"JWT": "from-environment"}, "from-environment"),
    ],
)
def test_the_secret_of_users_is_there_wherever_it_came_from(text, environ, secret):
    found = settled(text, environ).users.openwebui_secret
    assert (found and found.reveal()) == secret


def test_a_price_may_be_for_every_model():
    settings = settled('[prices."*"]\ninput = 1\noutput = 2')
    assert list(settings.prices) == ["*"]
