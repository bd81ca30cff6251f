import pytest

from angelia.config import ModelSettings, Timeouts
from angelia.core.prices import Price, Prices
from tests.config.settling import AT, BASE, MODEL, NAMED, OPENAI, fault, settled


def test_a_model_has_a_name_of_ours_and_one_of_its_provider() -> None:
    fast, slow = settled(NAMED, OPENAI).models
    assert (fast.name, fast.model, fast.provider.name) == ("fast", "fast", "box")
    assert (slow.name, slow.model, slow.provider.name) == ("slow", "gpt-5.4", "openai")
    assert fast.line == "fast at box:1234 (angelia.toml [models.fast])"


def test_a_model_says_what_it_can_do() -> None:
    text = """
        [models.m]
        provider = "openai"
        context_tokens = 200000
        reasoning = true
        images = false
        think_tags = "open"
        text_calls = true
        price = { input = 1, output = 2, cached = 0.5 }
        quirks = { include_usage = false }
    """
    (found,) = settled(text, OPENAI).models
    assert found == ModelSettings(
        "m",
        found.provider,
        "m",
        "angelia.toml [models.m]",
        200000,
        True,
        False,
        "open",
        True,
        Price(1, 2, 0.5),
        {"max_tokens_field": "max_completion_tokens", "include_usage": False},
    )


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "max_completion_tokens"),
        ("quirks = { max_tokens_field = 'max_tokens' }", "max_tokens"),
        ("[providers.openai]\nprotocol = 'responses'", None),
    ],
)
def test_what_a_vendor_is_known_to_want_holds_unless_the_file_says_otherwise(text, field) -> None:
    (model,) = settled(f'[models.m]\nprovider = "openai"\n{text}', OPENAI).models
    assert model.quirks.get("max_tokens_field") == field


def test_the_plain_model_is_one_of_them_unless_only_a_vendor_s_variable_says_so() -> None:
    def names(text: str, environ: dict[str, str]) -> list[str]:
        return [model.name for model in settled(text, environ).models]

    assert names("", OPENAI) == ["default"]
    assert names(NAMED, OPENAI) == ["fast", "slow"]
    assert names(NAMED + MODEL, OPENAI) == ["default", "fast", "slow"]
    assert names(NAMED + '[model]\nname = "m"', OPENAI) == ["default", "fast", "slow"]
    assert names(NAMED, {**OPENAI, **BASE}) == ["default", "fast", "slow"]


PRICED = """
[prices."gpt-*"]
input = 9
output = 9
[prices."gpt-5.4"]
input = 8
output = 8
[models.a]
provider = "openai"
name = "gpt-5.4"
price = { input = 1, output = 1 }
[models.b]
provider = "openai"
name = "gpt-5.4"
price = { input = 2, output = 2 }
"""


def test_a_model_s_own_price_goes_before_the_list_and_the_first_of_two_counts() -> None:
    prices = Prices(settled(PRICED, OPENAI).prices)
    assert prices.find("gpt-5.4") == Price(1, 1)
    assert prices.find("gpt-5.4-mini") == Price(9, 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[models.m]", 'models."m".provider is missing'),
        (
            '[models.m]\nprovider = "opnai"',
            "models.\"m\".provider: there is no provider 'opnai'; did you mean 'openai'?",
        ),
        (
            '[models.m]\nprovider = "zzz"',
            "models.\"m\".provider: there is no provider 'zzz'; "
            "there are: openai, anthropic, openrouter",
        ),
        (
            '[models.m]\nprovider = "openai"',
            "models.\"m\".provider is 'openai', and OPENAI_API_KEY is not set.",
        ),
        (
            '[models."qwen3:4b"]\nprovider = "openai"',
            'models."qwen3:4b": a name must not contain a colon; choose another, and say '
            'name = "qwen3:4b" in it.',
        ),
        (
            '[models.demo]\nprovider = "openai"',
            'models."demo": is the name of the built-in model; choose another.',
        ),
        (
            '[models.default]\nprovider = "openai"',
            'models."default": is the name of the model of [model] or the environment; '
            "choose another.",
        ),
        ('[models.""]\nprovider = "openai"', 'models."": a name must not be empty.'),
        (
            '[models.m]\nprovider = "openai"\n[models.m.price]\ninput = 1',
            'models."m".price.output is missing',
        ),
        (
            '[models.gpt-5.4]\nprovider = "openai"',
            "'models.\"gpt-5\".4' is not a setting; there are: context_tokens, reasoning, images, "
            "think_tags, text_calls, price, quirks, provider, name, timeouts"
            "; a name with a dot in it stands in quotes",
        ),
        (
            '[models.m]\nprovider = "openai"\nthink_tags = "on"',
            "models.\"m\".think_tags must be one of 'auto', 'open', 'off'",
        ),
    ],
)
def test_a_fault_of_a_model_names_it_and_the_way_out(text: str, message: str) -> None:
    assert fault(text) == AT + message


def test_the_timeouts_of_a_model_go_before_those_of_its_provider() -> None:
    text = """
        [providers.box]
        base_url = "http://box:1234/v1"
        timeouts = { connect = 1, first_token = 2 }
        [models.slow]
        provider = "box"
        timeouts = { first_token = 300, whole = 900 }
        [models.quick]
        provider = "box"
    """
    slow, quick = settled(text, {}).models
    assert slow.provider.timeouts == Timeouts(connect=1, first_token=300, whole=900)
    assert quick.provider.timeouts == Timeouts(connect=1, first_token=2)
