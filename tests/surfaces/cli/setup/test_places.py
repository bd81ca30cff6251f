import pytest

from angelia.errors import RequestError
from angelia.surfaces.cli.local import Found
from angelia.surfaces.cli.setup.places import candidates, checked_protocol, custom, named

OLLAMA = Found("ollama", "Ollama", "http://127.0.0.1:11434/v1", ())


def test_what_can_be_used_at_once_comes_first() -> None:
    places = candidates([OLLAMA], {"ANTHROPIC_API_KEY": "k"})
    assert [place.line for place in places] == [
        "Ollama at 127.0.0.1:11434",
        "Anthropic at api.anthropic.com, ANTHROPIC_API_KEY is set",
        "OpenAI at api.openai.com",
        "OpenRouter at openrouter.ai",
    ]
    assert [place.needs_key for place in places] == [False, True, True, True]


def test_a_local_server_is_known_by_name_even_if_it_was_not_found() -> None:
    place = named("lmstudio", candidates([], {}))
    assert place is not None
    assert (place.title, place.base_url) == ("LM Studio", "http://127.0.0.1:1234/v1")
    assert named("nobody", candidates([], {})) is None


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("http://127.0.0.1:9/v1", "local"),
        ("https://models.example/v1", "models-example"),
        ("nonsense", "provider"),
    ],
)
def test_an_address_of_one_s_own_gets_a_name(address: str, name: str) -> None:
    assert custom(address, None).name == name
    assert custom(address, "anthropic", "mine").name == "mine"


def test_a_protocol_that_does_not_exist_is_refused() -> None:
    assert checked_protocol(None) is None
    assert checked_protocol("responses") == "responses"
    with pytest.raises(RequestError, match="there are: chat, responses, anthropic"):
        checked_protocol("grpc")


def test_an_address_that_is_none_is_named() -> None:
    with pytest.raises(RequestError, match="is not a valid address"):
        custom("http://[::1", None)
