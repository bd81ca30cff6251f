import pytest

from tests.config.settling import ANTHROPIC, BASE, LOCAL, MODEL, OPENAI, OPENROUTER, settled


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
    chain = settled(text, environ).chain
    assert [
        (model.provider.base_url, model.provider.protocol, model.model, model.source)
        for model in chain
    ] == ([expected] if expected else [])


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
    (model,) = settled(text, environ).chain
    assert [held.reveal() for held in model.provider.keys] == ([key] if key else [])
