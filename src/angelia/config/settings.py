"""The settings in force: what file, environment and flags amount to."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from angelia.config.agents import AgentSettings
from angelia.config.mcp_settings import McpSettings
from angelia.config.models import ModelSettings
from angelia.config.names import DEMO
from angelia.config.reachable import is_loopback
from angelia.config.secret import Secret
from angelia.config.sections import (
    Agent,
    Allowance,
    Approvals,
    Chat,
    Delegation,
    Memory,
    Responses,
    Retention,
    Schedule,
    Server,
    Sessions,
    Tools,
    Users,
    Web,
    Webhooks,
)
from angelia.core.prices import Price


class Settings(Struct, frozen=True):
    """The first of `agents` is the default one. `models` are all that the configuration names.

    `api_key` is the first key, if one was chosen.
    `prices` are by name of a model, or by its beginning with a `*` behind it. The secret in
    `users` and the key in `web` are there wherever they came from.
    """

    home: Path
    workspace: Path
    server: Server
    agent: Agent
    tools: Tools
    approvals: Approvals
    delegation: Delegation
    chat: Chat
    responses: Responses
    sessions: Sessions
    users: Users
    limits: Allowance
    prices: Mapping[str, Price]
    retention: Retention
    webhooks: Webhooks
    web: Web
    schedule: Schedule
    agents: tuple[AgentSettings, ...]
    models: tuple[ModelSettings, ...] = ()
    api_key: Secret | None = None
    mcp_config: Path | None = None
    memory: Memory = Memory()
    mcp: tuple[McpSettings, ...] = ()

    @property
    def private_webhooks(self) -> bool:
        """Whether webhooks may name addresses that only this machine's surroundings reach."""
        chosen = self.webhooks.allow_private
        return is_loopback(self.server.host) if chosen is None else chosen

    @property
    def chain(self) -> tuple[ModelSettings, ...]:
        """The models of the default agent, in the order in which they are asked."""
        return self.agents[0].chain

    @property
    def model_line(self) -> str:
        """Which model is in force and why, and which ones come after it, for people."""
        if not self.chain:
            return DEMO
        first, *rest = self.chain
        others = "".join(f", then {model.model} at {model.provider.host}" for model in rest)
        return first.line + others
