"""Who a client is by its headers, and the words by which it says how it is served."""

import pytest

from angelia.errors import BadRequest
from angelia.wire.dialects import Family, ToolItems, family, stated

ITEMS: tuple[ToolItems, ...] = ("pair", "mcp", "off")


@pytest.mark.parametrize(
    ("user_agent", "headers", "known"),
    [
        ("", (), Family(openwebui=False, sdk=False)),
        ("curl/8.0", ("User-Agent", "Accept"), Family(openwebui=False, sdk=False)),
        ("OpenAI/Python 3.0", (), Family(openwebui=False, sdk=True)),
        ("AsyncOpenAI/Python 3.0", (), Family(openwebui=False, sdk=True)),
        ("ai/7.0 ai-sdk/openai-compatible/3.0", (), Family(openwebui=False, sdk=True)),
        ("", ("X-Stainless-Lang",), Family(openwebui=False, sdk=True)),
        ("", ("x-openwebui-user-id",), Family(openwebui=True, sdk=False)),
        ("OpenAI/JS 4.1", ("X-OpenWebUI-Chat-Id",), Family(openwebui=True, sdk=True)),
    ],
)
def test_headers_tell_what_kind_of_client_asks(
    user_agent: str, headers: tuple[str, ...], known: Family
) -> None:
    assert family(user_agent, headers) == known


@pytest.mark.parametrize(
    ("requested", "key_setting", "dialect"),
    [
        (None, None, None),
        (None, "off", "off"),
        (None, "unheard of", None),
        ("  ", "mcp", "mcp"),
        (" Pair ", "off", "pair"),
    ],
)
def test_the_requests_word_goes_before_the_keys(
    requested: str | None, key_setting: str | None, dialect: str | None
) -> None:
    assert stated(requested, key_setting, ITEMS, "X-Items") == dialect


def test_an_unknown_word_is_refused_with_the_header_and_the_words_that_exist() -> None:
    with pytest.raises(BadRequest, match="X-Items: use one of pair, mcp, off") as caught:
        stated("cards", "pair", ITEMS, "X-Items")
    assert (caught.value.param, caught.value.code) == ("X-Items", "invalid_value")
