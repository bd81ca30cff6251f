"""Each client: how it introduces itself, how it reads, and what to enter in it."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from angelia.surfaces.cli.doctor.clients import (
    ai_sdk,
    librechat,
    lobechat,
    openai_sdk,
    openwebui,
    responses,
)
from angelia.surfaces.cli.doctor.names import ClientName
from angelia.surfaces.cli.doctor.shown import Shown

Surface = Literal["chat", "responses"]


class View(Struct, frozen=True):
    """One way in which a client asks us.

    `user_agent` and `headers` are what it sends, which decides the dialect it gets. `hides_tools`
    and `hides_reasoning` are why it shows none, if that is so; `wants_usage` is where usage is
    turned on.
    """

    surface: Surface
    read: Callable[[bytes], Shown]
    user_agent: str
    headers: tuple[str, ...] = ()
    hides_tools: str = ""
    hides_reasoning: str = ""
    wants_usage: str = "the request does not ask for them."


class Client(Struct, frozen=True):
    name: ClientName
    title: str
    views: tuple[View, ...]


_STAINLESS = ("X-Stainless-Lang", "X-Stainless-Package-Version")
_OWN_TOOLS_ONLY = "it draws only the tools that it executes itself."

CLIENTS = {
    client.name: client
    for client in (
        Client(
            ClientName.OPENWEBUI,
            "Open WebUI",
            (
                View(
                    "chat",
                    openwebui.read,
                    "Python/3.11 aiohttp/3.12.15",
                    ("X-OpenWebUI-User-Id", "X-OpenWebUI-Chat-Id"),
                    wants_usage="turn on Usage among the capabilities of the model.",
                ),
            ),
        ),
        Client(
            ClientName.LIBRECHAT,
            "LibreChat",
            (
                View(
                    "chat",
                    librechat.read,
                    "langchainjs-openai/1.0.0",
                    _STAINLESS,
                    hides_tools=_OWN_TOOLS_ONLY,
                ),
            ),
        ),
        Client(
            ClientName.LOBECHAT,
            "LobeChat",
            (
                View(
                    "chat",
                    lobechat.read,
                    "OpenAI/JS 4.104.0",
                    _STAINLESS,
                    hides_tools=_OWN_TOOLS_ONLY,
                ),
            ),
        ),
        Client(
            ClientName.AI_SDK,
            "AI SDK",
            (
                View(
                    "chat",
                    ai_sdk.read,
                    "ai/7.0.169 ai-sdk/openai-compatible/3.0.90",
                    hides_tools="the provider drops unknown fields; includeRawChunks has them.",
                    wants_usage="set includeUsage: true.",
                ),
                View(
                    "responses",
                    responses.read_as_ai_sdk,
                    "ai/7.0.169 ai-sdk/openai/4.0.114",
                    hides_reasoning="the provider knows summaries only.",
                ),
            ),
        ),
        Client(
            ClientName.OPENAI,
            "openai SDK",
            (
                View(
                    "chat",
                    openai_sdk.read,
                    "OpenAI/Python 2.41.0",
                    _STAINLESS,
                    wants_usage='ask with stream_options={"include_usage": True}.',
                ),
                View(
                    "responses",
                    responses.read_as_openai,
                    "OpenAI/Python 2.41.0",
                    _STAINLESS,
                ),
            ),
        ),
    )
}
