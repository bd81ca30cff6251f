"""How the tools of the server are shown among the items of a response."""

from collections.abc import Iterable
from typing import get_args

from angelia.wire.dialects import ToolItems, family, stated

Dialect = ToolItems

HEADER = "X-Angelia-Tool-Items"

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)


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
    if dialect := stated(requested, key_setting, DIALECTS, HEADER):
        return dialect
    return "mcp" if declares_tools or family(user_agent, headers).sdk else "pair"
