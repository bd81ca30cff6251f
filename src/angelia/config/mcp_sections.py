"""The section of `angelia.toml` that says where an MCP server is and what its tools may do."""

from typing import Annotated, Literal

from msgspec import Meta, field

from angelia.config.scalars import Seconds, Section
from angelia.config.secret import Secret

Approval = Literal["auto", "allow", "ask", "deny"]


class McpServer(Section, frozen=True):
    """A `command` of this machine or a `url`; the first eight keys are those of other clients.

    `tools` (or `allow`, which is the same) and `deny` name its tools and may hold `*`. `network`
    says whether its tools reach out; None believes what they say of themselves.
    """

    command: Annotated[str, Meta(min_length=1)] | None = None
    args: tuple[str, ...] = ()
    env: dict[str, Secret] = field(default_factory=dict[str, Secret])
    cwd: str | None = None
    url: Annotated[str, Meta(min_length=1)] | None = None
    headers: dict[str, Secret] = field(default_factory=dict[str, Secret])
    type: Literal["stdio", "http", "streamable-http", "sse"] | None = None
    disabled: bool = False
    tools: tuple[str, ...] | None = None
    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()
    approval: Approval = "auto"
    timeout: Seconds = 120
    network: bool | None = None
