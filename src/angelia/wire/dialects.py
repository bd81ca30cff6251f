"""In which dialect a client is shown the server's tools: as it says, or as its family bears it."""

from collections.abc import Iterable
from typing import Literal, TypeVar

from msgspec import Struct

from angelia.errors import BadRequest

ToolEvents = Literal["named", "carrier", "openwebui", "off"]
ToolItems = Literal["pair", "mcp", "off"]

D = TypeVar("D", ToolEvents, ToolItems)

_SDK_AGENTS = ("openai/", "ai-sdk")


class Family(Struct, frozen=True):
    """What is known of the program that asks; a frontend may stand on an SDK."""

    openwebui: bool
    sdk: bool


def family(user_agent: str, headers: Iterable[str]) -> Family:
    """`headers` are the names of the request's headers."""
    names = [name.lower() for name in headers]
    agent = user_agent.lower()
    return Family(
        openwebui=any(name.startswith("x-openwebui-") for name in names),
        sdk=any(sdk in agent for sdk in _SDK_AGENTS)
        or any(name.startswith("x-stainless-") for name in names),
    )


def stated(
    requested: str | None, key_setting: str | None, dialects: tuple[D, ...], header: str
) -> D | None:
    """The request's word, else the key's, else None.

    Raises BadRequest for an unknown word in the request's `header`.
    """
    if requested is None or not requested.strip():
        return _named(key_setting, dialects)
    dialect = _named(requested.strip().lower(), dialects)
    if dialect is None:
        raise BadRequest(
            f"Invalid value for the header {header}: use one of {', '.join(dialects)}.",
            param=header,
            code="invalid_value",
        )
    return dialect


def _named(word: str | None, dialects: tuple[D, ...]) -> D | None:
    return next((dialect for dialect in dialects if dialect == word), None)
