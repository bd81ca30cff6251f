"""Servers of others, whose tools, resources and prompts are used here."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

McpHealth = Literal["idle", "connecting", "connected", "failing"]


class McpResource(Struct, frozen=True, omit_defaults=True):
    """`uri` is a template where `template` says so."""

    uri: str
    name: str = ""
    description: str = ""
    mime_type: str = ""
    template: bool = False


class McpPromptArgument(Struct, frozen=True, omit_defaults=True):
    name: str
    description: str = ""
    required: bool = False


class McpPrompt(Struct, frozen=True, omit_defaults=True):
    name: str
    description: str = ""
    arguments: tuple[McpPromptArgument, ...] = ()


class McpStatus(Struct, frozen=True):
    """`detail` is what is wrong, for people; `tools` are names as models are told them.

    A server is `idle` until a run could use it.
    """

    name: str
    toolset: str
    transport: Literal["stdio", "http", "sse"]
    health: McpHealth
    detail: str = ""
    version: str = ""
    tools: tuple[str, ...] = ()
    resources: tuple[McpResource, ...] = ()
    prompts: tuple[McpPrompt, ...] = ()


class McpDirectory(Protocol):
    def statuses(self) -> Sequence[McpStatus]:
        """How every server that is configured is at this moment. Asks none of them."""
        ...
