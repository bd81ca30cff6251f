"""The settings in force: what file, environment and flags amount to."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from angelia.config.reachable import is_loopback
from angelia.config.secret import Secret
from angelia.config.sections import (
    Agent,
    Allowance,
    Approvals,
    Chat,
    Responses,
    Retention,
    Server,
    Sessions,
    Tools,
    Users,
    Webhooks,
)
from angelia.config.upstreams import DEMO, Upstream
from angelia.core.prices import Price


class Settings(Struct, frozen=True):
    """`upstream` of None is the demo model. `api_key` is the first key, if one was chosen.

    `prices` are by name of a model, or by its beginning with a `*` behind it. The secret in
    `users` is there wherever it came from.
    """

    home: Path
    workspace: Path
    server: Server
    agent: Agent
    tools: Tools
    approvals: Approvals
    chat: Chat
    responses: Responses
    sessions: Sessions
    users: Users
    limits: Allowance
    prices: Mapping[str, Price]
    retention: Retention
    webhooks: Webhooks
    upstream: Upstream | None = None
    api_key: Secret | None = None
    mcp_config: Path | None = None

    @property
    def private_webhooks(self) -> bool:
        """Whether webhooks may name addresses that only this machine's surroundings reach."""
        chosen = self.webhooks.allow_private
        return is_loopback(self.server.host) if chosen is None else chosen

    @property
    def model_line(self) -> str:
        """Which model is in force and why, for people."""
        if self.upstream is None:
            return DEMO
        host = urlsplit(self.upstream.base_url).netloc
        return f"{self.upstream.model} at {host} ({self.upstream.source})"
