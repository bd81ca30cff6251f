"""Settings: from `angelia.toml`, the environment and flags, each stronger than the one before.

`settle` is the whole of it and touches nothing; `load` reads the file and calls it. No key is ever
part of a message or of a `repr`.
"""

from angelia.config.agents import AgentSettings
from angelia.config.faults import ConfigError
from angelia.config.mcp import added_server, rules_of
from angelia.config.mcp_sections import McpServer
from angelia.config.mcp_settings import McpSettings
from angelia.config.model_sections import Model, NamedModel, Provider, Tariff, Timeouts
from angelia.config.models import ModelSettings
from angelia.config.names import DEMO, FILE
from angelia.config.providers import ProviderSettings
from angelia.config.reachable import is_loopback
from angelia.config.reading import home_folder, load, settle
from angelia.config.scalars import KeyOrder, Protocol, Section, ThinkTags
from angelia.config.secret import Secret
from angelia.config.sections import (
    Agent,
    Allowance,
    Approvals,
    Chat,
    Delegation,
    File,
    Memory,
    NamedAgent,
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
from angelia.config.settings import Settings
from angelia.config.vendors import VENDORS, Vendor

__all__ = [
    "DEMO",
    "FILE",
    "VENDORS",
    "Agent",
    "AgentSettings",
    "Allowance",
    "Approvals",
    "Chat",
    "ConfigError",
    "Delegation",
    "File",
    "KeyOrder",
    "McpServer",
    "McpSettings",
    "Memory",
    "Model",
    "ModelSettings",
    "NamedAgent",
    "NamedModel",
    "Protocol",
    "Provider",
    "ProviderSettings",
    "Responses",
    "Retention",
    "Schedule",
    "Secret",
    "Section",
    "Server",
    "Sessions",
    "Settings",
    "Tariff",
    "ThinkTags",
    "Timeouts",
    "Tools",
    "Users",
    "Vendor",
    "Web",
    "Webhooks",
    "added_server",
    "home_folder",
    "is_loopback",
    "load",
    "rules_of",
    "settle",
]
