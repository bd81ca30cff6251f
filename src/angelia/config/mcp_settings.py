"""An MCP server as it is in force."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from angelia.config.mcp_sections import Approval
from angelia.config.secret import Secret

Transport = Literal["stdio", "http", "sse"]


class McpSettings(Struct, frozen=True):
    """What its places hold may be secret; `secrets` are.

    `allow` of None offers all of its tools.
    """

    name: str
    toolset: str
    source: str
    transport: Transport
    folder: Path
    command: str = ""
    args: tuple[Secret, ...] = ()
    env: Mapping[str, Secret] = {}
    url: Secret = Secret("")
    headers: Mapping[str, Secret] = {}
    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()
    approval: Approval = "auto"
    timeout: float = 120
    network: bool | None = None
    secrets: tuple[Secret, ...] = ()

    @property
    def place(self) -> str:
        """Where it is, as far as people may see it."""
        return urlsplit(self.url.reveal()).netloc if self.url.reveal() else Path(self.command).name
