import pytest

from tests.config.settling import (
    ANTHROPIC,
    AT,
    BASE,
    LOCAL,
    MODEL,
    OPENAI,
    OPENROUTER,
    fault,
    settled,
)


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


DESCRIBED = """
[model]
base_url = "http://box:1234/v1"
name = "thinker"
key_env = "NOT_SET"
context_tokens = 1000
think_tags = "open"
reasoning = true
price = { input = 1, output = 2 }
"""


@pytest.mark.parametrize(("name", "tokens"), [("", 1000), ("thinker", 1000), ("other", None)])
@pytest.mark.parametrize("environ", [BASE, {"NOT_SET": "now"}])
def test_what_the_file_says_of_a_model_holds_for_no_other(
    environ: dict[str, str], name: str, tokens: int | None
) -> None:
    (model,) = settled(DESCRIBED, {**environ, "ANGELIA_MODEL": name}).models
    assert model.model == (name or "thinker")
    assert model.context_tokens == tokens
    assert (model.think_tags == "open", model.reasoning, model.price is not None) == (
        (tokens is not None,) * 3
    )


def test_a_key_that_is_nothing_is_named() -> None:
    assert fault(f'{MODEL}key = " "\n') == f"{AT}model.key: is empty; leave it out."


def test_nobody_waits_for_ever() -> None:
    text = f"{MODEL}[model.timeouts]\nconnect = inf\n"
    assert fault(text).startswith(f"{AT}model.timeouts.connect: expected float <= ")
