"""Settings: from `angelia.toml`, the environment and flags, each stronger than the one before.

`settle` is the whole of it and touches nothing; `load` reads the file and calls it. No key is ever
part of a message or of a `repr`.
"""

from angelia.config.faults import ConfigError
from angelia.config.reachable import is_loopback
from angelia.config.reading import home_folder, load, settle
from angelia.config.secret import Secret
from angelia.config.sections import (
    Agent,
    Allowance,
    Approvals,
    Chat,
    File,
    Model,
    Protocol,
    Responses,
    Retention,
    Section,
    Server,
    Sessions,
    Tariff,
    Timeouts,
    Tools,
    Users,
    Webhooks,
)
from angelia.config.settings import Settings
from angelia.config.upstreams import DEMO, FILE, VENDORS, Upstream, Vendor

__all__ = [
    "DEMO",
    "FILE",
    "VENDORS",
    "Agent",
    "Allowance",
    "Approvals",
    "Chat",
    "ConfigError",
    "File",
    "Model",
    "Protocol",
    "Responses",
    "Retention",
    "Secret",
    "Section",
    "Server",
    "Sessions",
    "Settings",
    "Tariff",
    "Timeouts",
    "Tools",
    "Upstream",
    "Users",
    "Vendor",
    "Webhooks",
    "home_folder",
    "is_loopback",
    "load",
    "settle",
]
