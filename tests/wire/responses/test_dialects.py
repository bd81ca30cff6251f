"""Which dialect a client gets."""

import pytest

from angelia.errors import BadRequest
from angelia.wire.responses.dialects import HEADER, choose_items


def chosen(**given) -> str:
    nothing = {
        "requested": None,
        "key_setting": None,
        "user_agent": "",
        "headers": (),
        "declares_tools": False,
    }
    return choose_items(**(nothing | given))


@pytest.mark.parametrize(
    ("given", "dialect"),
    [
        ({}, "pair"),
        ({"user_agent": "curl/8.0"}, "pair"),
        ({"headers": ["X-OpenWebUI-User-Id"]}, "pair"),
        ({"user_agent": "OpenAI/Python 3.0"}, "mcp"),
        ({"user_agent": "AsyncOpenAI/Python 3.0"}, "mcp"),
        ({"user_agent": "ai-sdk/openai/3.0 runtime/node"}, "mcp"),
        ({"headers": ["x-Stainless-Lang"]}, "mcp"),
        ({"declares_tools": True}, "mcp"),
        ({"declares_tools": True, "headers": ["X-OpenWebUI-User-Id"]}, "mcp"),
        ({"key_setting": "off", "declares_tools": True}, "off"),
        ({"key_setting": "unheard of", "declares_tools": True}, "mcp"),
        ({"requested": " Pair ", "key_setting": "off", "declares_tools": True}, "pair"),
        ({"requested": "  ", "key_setting": "mcp"}, "mcp"),
    ],
)
def test_the_requests_word_goes_before_the_keys_and_that_before_the_clients_family(
    given: dict, dialect: str
) -> None:
    assert chosen(**given) == dialect


def test_an_unknown_word_is_refused_with_those_that_exist() -> None:
    with pytest.raises(BadRequest, match="pair, mcp, off") as caught:
        chosen(requested="cards")
    assert caught.value.param == HEADER
