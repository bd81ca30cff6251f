import pytest

from angelia.config import ProviderSettings, Secret, Timeouts
from tests.config.settling import ANTHROPIC, AT, OPENAI, fault, settled

BOX = '[providers.box]\nbase_url = "http://box:1/v1"\n'


def provider(text: str, environ: dict[str, str] | None = None, name: str = "box") -> object:
    (model,) = settled(f'{text}\n[models.m]\nprovider = "{name}"', environ).chain
    return model.provider


def test_a_provider_says_where_its_models_are_and_how_they_are_spoken_to() -> None:
    text = """
        [providers.box]
        base_url = "https://box/v1/"
        protocol = "responses"
        keys = ["a", "b", "a"]
        key_order = "least_used"
        retries = 5
        headers = { X-Team = "blue" }
        stream = false
        breaker = 3
        timeouts = { connect = 1, whole = 2 }
    """
    found = provider(text)
    assert isinstance(found, ProviderSettings)
    assert found.headers == {"X-Team": "blue"}
    assert found == ProviderSettings(
        "box",
        "https://box/v1",
        "responses",
        "angelia.toml [providers.box]",
        (Secret("a"), Secret("b")),
        "least_used",
        Timeouts(connect=1, whole=2),
        retries=5,
        breaker=3,
        secret_headers={"X-Team": Secret("blue")},
        stream=False,
    )


@pytest.mark.parametrize(
    ("text", "environ", "name", "expected"),
    [
        (BOX, {}, "box", ("http://box:1/v1", "chat", [])),
        (BOX, OPENAI, "box", ("http://box:1/v1", "chat", [])),
        (
            BOX + 'key_envs = ["A", "B"]',
            {"A": "a", "B": "b,c"},
            "box",
            ("http://box:1/v1", "chat", ["a", "b", "c"]),
        ),
        ("", OPENAI, "openai", ("https://api.openai.com/v1", "chat", ["sk-openai"])),
        (
            '[providers.openai]\nprotocol = "responses"',
            OPENAI,
            "openai",
            ("https://api.openai.com/v1", "responses", ["sk-openai"]),
        ),
        (
            '[providers.openai]\nbase_url = "http://box:1"',
            OPENAI,
            "openai",
            ("http://box:1", "chat", []),
        ),
        (
            '[providers.mine]\nbase_url = "https://api.anthropic.com"',
            ANTHROPIC,
            "mine",
            ("https://api.anthropic.com", "anthropic", ["sk-anthropic"]),
        ),
        (
            '[providers.anthropic]\nkeys = ["own"]',
            ANTHROPIC,
            "anthropic",
            ("https://api.anthropic.com", "anthropic", ["own"]),
        ),
        (
            '[providers.openai]\nheaders = { Authorization = "Bearer x" }',
            {},
            "openai",
            ("https://api.openai.com/v1", "chat", []),
        ),
    ],
)
def test_what_is_left_out_is_known_for_vendors(text, environ, name, expected) -> None:
    found = provider(text, environ, name)
    assert isinstance(found, ProviderSettings)
    keys = [key.reveal() for key in found.keys]
    assert (found.base_url, found.protocol, keys) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[providers.box]",
            'providers."box".base_url is missing; it may be left out for '
            "openai, anthropic, openrouter.",
        ),
        (
            '[providers.box]\nbase_url = "box"',
            'providers."box".base_url: expected an address such as http://127.0.0.1:9100/v1.',
        ),
        (
            "[providers.openai]",
            'providers."openai" has no key; set OPENAI_API_KEY, or give keys or key_envs.',
        ),
        (
            BOX + 'keys = ["a"]\nkey_envs = ["A"]',
            'providers."box".keys and providers."box".key_envs exclude each other; keep one.',
        ),
        (BOX + 'keys = ["a", ""]', 'providers."box".keys: one of them is empty; leave it out.'),
        (BOX + 'key_envs = ["A"]', 'providers."box".key_envs names A, which is not set.'),
        (
            BOX + 'headers = { "X A" = "b" }',
            'providers."box".headers."X A": is not the name of a header.',
        ),
        (
            BOX + 'headers = { X-A = "b\\n" }',
            'providers."box".headers."X-A": holds a line break or the like; take it out.',
        ),
        (BOX + "headers = { X-A = 1 }", 'providers."box".headers: expected str'),
        (
            BOX + 'key_order = "random"',
            "providers.\"box\".key_order must be one of 'round_robin', 'fill_first', 'least_used'",
        ),
        (BOX + "keys = [1]", 'providers."box".keys[0]: expected str'),
        (
            BOX + "[providers.box.timeouts]\nconect = 1",
            "'providers.\"box\".timeouts.conect' is not a setting; did you mean 'connect'?"
            "; a name with a dot in it stands in quotes",
        ),
        (
            '[providers."a:b"]\nbase_url = "http://box"',
            'providers."a:b": a name must not contain a colon; choose another.',
        ),
        (
            '[providers.""]\nbase_url = "http://box"',
            'providers."": a name must not be empty.',
        ),
    ],
)
def test_a_fault_of_a_provider_names_it_and_the_way_out(text: str, message: str) -> None:
    assert fault(text) == AT + message
