"""What an MCP server has to offer, as it is kept between two starts."""

from msgspec import Raw, Struct

from angelia.ports import McpPrompt, McpResource


class Offer(Struct, frozen=True, omit_defaults=True):
    """One tool as its server describes it. None is what a server does not say."""

    name: str
    description: str
    schema: Raw
    read_only: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


class Listing(Struct, frozen=True, omit_defaults=True):
    """`version` is the server's own name and version."""

    tools: tuple[Offer, ...] = ()
    resources: tuple[McpResource, ...] = ()
    prompts: tuple[McpPrompt, ...] = ()
    version: str = ""


NOTHING_LISTED = Listing()
