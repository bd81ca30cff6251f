"""Settings from text, and the fault that text has."""

from pathlib import Path

import pytest

from angelia.config import ConfigError, Settings, settle

HOME = Path("/home/me/.angelia")
AT = f"{HOME}/angelia.toml: "
OPENAI = {"OPENAI_API_KEY": "sk-openai"}
ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-anthropic"}
OPENROUTER = {"OPENROUTER_API_KEY": "sk-openrouter"}
BASE = {"ANGELIA_BASE_URL": "http://127.0.0.1:9100/v1/"}
NAMED = """
[providers.box]
base_url = "http://box:1234/v1/"
[models.fast]
provider = "box"
[models.slow]
provider = "openai"
name = "gpt-5.4"
"""
LOCAL = "http://127.0.0.1:9100/v1"
MODEL = '[model]\nbase_url = "http://box:1234/v1"\n'
WAYS = "set ANGELIA_BASE_URL or one of OPENAI_API_KEY, ANTHROPIC_API_KEY, OPENROUTER_API_KEY."


def settled(text: str = "", environ: dict[str, str] | None = None) -> Settings:
    return settle(text, environ or {}, HOME)


def fault(text: str = "", environ: dict[str, str] | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        settled(text, environ)
    return str(caught.value)
