"""Servers of others, whose tools, resources and prompts are used here."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from angelia.core.policy import Rule

McpHealth = Literal["idle", "connecting", "connected", "failing"]
McpSource = Literal["file", "added"]


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

    A server is `idle` until a run could use it. One that is not `enabled` is idle and has nothing
    to offer. `place` is where its settings stand.
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
    enabled: bool = True
    source: McpSource = "file"
    place: str = ""


class AddedServer(Struct, frozen=True):
    """A server that was added while Angelia ran.

    `section` is a JSON object with what would stand in the configuration, secrets included.
    """

    name: str
    section: str
    added_at: float = 0.0


class AddedServers(Protocol):
    async def list(self) -> Sequence[AddedServer]:
        """In the order in which they were added."""
        ...

    async def add(self, server: AddedServer) -> None:
        """Raises Conflict if there is one of its name."""
        ...

    async def remove(self, name: str) -> bool:
        """Whether there was one."""
        ...


class McpDirectory(Protocol):
    def statuses(self) -> Sequence[McpStatus]:
        """How every server is at this moment. Asks none of them."""
        ...

    def rules(self) -> Sequence[Rule]:
        """What the `approval` of servers that were added says of their tools."""
        ...

    def add(self, server: AddedServer) -> None:
        """It is there from now on, switched off.

        Raises BadRequest for what cannot be used, and Conflict if its tools could be taken for
        those of another.
        """
        ...

    async def switch(self, name: str, *, on: bool) -> None:
        """Off: let go of, without tools. On: connected to anew; waits a little for that."""
        ...

    async def remove(self, name: str) -> None:
        """Nothing of a server that was added is left."""
        ...
