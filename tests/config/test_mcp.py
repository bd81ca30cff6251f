from pathlib import Path

import pytest

from angelia.config import ConfigError, Secret, load
from angelia.core.policy import Rule
from tests.config.settling import HOME, settled


def from_file(tmp_path: Path, text: str, **environ: str):
    file = tmp_path / "mcp.json"
    file.write_text(text)
    return load({"ANGELIA_MCP_CONFIG": str(file), **environ}, home=tmp_path / "home")


def test_without_any_there_are_none() -> None:
    assert settled().mcp == ()


def test_the_file_of_other_clients_is_read(tmp_path: Path) -> None:
    settings = from_file(
        tmp_path,
        """{"mcpServers": {
            "git hub": {"command": "npx", "args": ["-y", "x"], "env": {"TOKEN": "${T}"},
                        "cwd": "sub", "alwaysAllow": ["a"], "description": "ours"},
            "far": {"url": "https://x.example/mcp/?apiKey=${K}", "type": "streamableHttp",
                    "headers": {"Authorization": "Bearer ${T}"}},
            "old": {"url": "https://y.example/sse", "type": "sse"},
            "off": {"command": "rm", "disabled": true}}}""",
        T="tok-123456",
        K="key-123456",
    )
    near, far, old = settings.mcp
    assert (near.name, near.toolset, near.transport) == ("git hub", "mcp__git_hub", "stdio")
    assert near.args == (Secret("-y"), Secret("x"))
    assert near.env == {"TOKEN": Secret("tok-123456")}
    assert near.folder == tmp_path / "sub"
    assert far.transport == "http"
    assert far.url == Secret("https://x.example/mcp/?apiKey=key-123456")
    assert far.headers == {"Authorization": Secret("Bearer tok-123456")}
    assert {secret.reveal() for secret in far.secrets} >= {"tok-123456", "key-123456"}
    assert (old.transport, old.place) == ("sse", "y.example")
    assert "123456" not in repr(settings)


def test_tables_of_the_file_are_the_same() -> None:
    (server,) = settled("""
        [mcp.files]
        command = "npx"
        args = ["${HOME_OF_IT:-/srv}"]
        tools = ["read_*"]
        deny = ["read_media*"]
        timeout = 5
        network = false
    """).mcp
    assert server.args == (Secret("/srv"),)
    assert (server.allow, server.deny) == (("read_*",), ("read_media*",))
    assert (server.timeout, server.network, server.approval) == (5, False, "auto")
    assert server.folder == HOME / "workspace"


@pytest.mark.parametrize(
    ("approval", "rules"),
    [
        ("auto", [("ask", "idempotent")]),
        ("allow", []),
        ("ask", [("ask", None)]),
        ("deny", [("deny", None)]),
    ],
)
def test_approvals_become_rules_behind_those_of_people(
    approval: str, rules: list[tuple[str, str | None]]
) -> None:
    own = '[[approvals.rules]]\nverdict = "allow"\ntool = "mcp__s__x"\n'
    settings = settled(f'{own}[mcp.s]\ncommand = "c"\napproval = "{approval}"')
    first, *rest = settings.approvals.rules
    assert first == Rule("allow", tool="mcp__s__x")
    assert [(rule.verdict, rule.effect) for rule in rest] == rules
    assert {rule.tool for rule in rest} <= {"mcp__s__*"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1", "is not valid JSON"),
        ("[]", 'expected an object {"mcpServers"'),
        ('{"servers": {}}', 'expected an object {"mcpServers"'),
        ('{"mcpServers": {"a": 1}}', 'mcpServers."a": expected an object'),
        ('{"mcpServers": {"a": {}}}', "are both missing"),
        ('{"mcpServers": {"a": {"command": "c", "url": "http://x"}}}', "exclude each other"),
        ('{"mcpServers": {"a": {"command": 1}}}', 'mcpServers."a".command'),
        ('{"mcpServers": {"a": {"command": "c", "args": "x"}}}', 'mcpServers."a".args'),
        ('{"mcpServers": {"a": {"command": "c", "args": [1]}}}', 'mcpServers."a".args'),
        ('{"mcpServers": {"a": {"command": "c", "type": "http"}}}', "which needs a url"),
        ('{"mcpServers": {"a": {"url": "http://x", "type": "stdio"}}}', "which needs a command"),
        ('{"mcpServers": {"a": {"url": "ftp://x"}}}', 'mcpServers."a".url'),
        ('{"mcpServers": {"a": {"url": "http://u:p@x"}}}', "must not contain a password"),
        ('{"mcpServers": {"a": {"url": "http://x", "type": "ws"}}}', ".type must be one of"),
        ('{"mcpServers": {"a": {"command": "c", "approval": "maybe"}}}', ".approval must be one"),
        ('{"mcpServers": {"a": {"command": "c", "aproval": "ask"}}}', "did you mean 'approval'?"),
        ('{"mcpServers": {"a": {"command": "c", "timeout": 0}}}', 'mcpServers."a".timeout'),
        ('{"mcpServers": {"a": {"command": "${NO}"}}}', ".command names NO, which is not set"),
        ('{"mcpServers": {"a": {"command": "c", "env": {"B": "${NO}"}}}}', ".env.B names NO"),
        ('{"mcpServers": {"a": {"command": "c", "tools": [], "allow": []}}}', "are the same"),
        (
            '{"mcpServers": {"a b": {"command": "c"}, "a_b": {"command": "d"}}}',
            "choose another name",
        ),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        from_file(tmp_path, text)
    assert said in str(error.value)
    assert str(tmp_path / "mcp.json") in str(error.value)


def test_a_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no\.json: cannot be read"):
        load({"ANGELIA_MCP_CONFIG": str(tmp_path / "no.json")}, home=tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[mcp.a]\ncomand = "c"', "did you mean 'command'?"),
        ('[mcp.a]\ncommand = "c"\napproval = "yes"', 'mcp."a".approval must be one of'),
        ("[mcp.a]\nurl = 'nowhere'", 'mcp."a".url'),
    ],
)
def test_tables_are_checked_too(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        settled(text)
    assert said in str(error.value)
