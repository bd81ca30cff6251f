"""Names that mean something already, and which names the sections of a file may have."""

from angelia.config.faults import ConfigError

FILE = "angelia.toml"
DEMO = "demo"
# What the model of [model], the environment or a vendor's variable is called among the others.
UNNAMED = "default"


def checked_name(name: str, where: str) -> str:
    """Raises ConfigError for what cannot be asked for by name."""
    if not name.strip():
        raise ConfigError(f"{where}: a name must not be empty.")
    if ":" in name:
        raise ConfigError(f"{where}: a name must not contain a colon; choose another.")
    return name
