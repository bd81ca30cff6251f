"""How the tools of the server are shown among the items of a response."""

from collections.abc import Iterable
from typing import Literal, get_args

from angelia.errors import BadRequest

Dialect = Literal["pair", "mcp", "off"]

HEADER = "X-Angelia-Tool-Items"

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
_SDK_AGENTS = ("openai/", "asyncopenai/", "ai-sdk")


def choose_items(
    *,
    requested: str | None,
    key_setting: str | None,
    user_agent: str,
    headers: Iterable[str],
    declares_tools: bool,
) -> Dialect:
    """The request's word, else the key's, else what the client's family can bear.

    A client with functions of its own would execute the calls of a pair, or reject them.
    `headers` are the names of the request's headers. Raises BadRequest for an unknown word.
    """
    if requested is not None and requested.strip():
        return _named(requested.strip().lower())
    if key_setting in DIALECTS:
        return key_setting
    sdk = any(agent in user_agent.lower() for agent in _SDK_AGENTS)
    if declares_tools or sdk or any(name.lower().startswith("x-stainless-") for name in headers):
        return "mcp"
    return "pair"


def _named(word: str) -> Dialect:
    for dialect in DIALECTS:
        if word == dialect:
            return dialect
    raise BadRequest(
        f"Invalid value for the header {HEADER}: use one of {', '.join(DIALECTS)}.",
        param=HEADER,
        code="invalid_value",
    )
