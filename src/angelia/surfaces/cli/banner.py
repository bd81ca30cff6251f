"""What `angelia serve` says when it is ready."""

import shlex
import sys

from angelia import __version__
from angelia.config import Settings
from angelia.config.running import KEY_FILE
from angelia.runtime.services import Services

_QUESTION = (
    '{"stream": true, "messages": [{"role": "user", "content": "Show me `ls -la` and `uname`"}]}'
)


def banner(services: Services, address: str) -> str:
    """The key is spelled out only by the start that made it."""
    settings = services.settings
    kept = shlex.quote(str(settings.home / KEY_FILE))
    key = f"{services.secret}\n           kept in {kept}" if services.fresh_key else f"in {kept}"
    return f"""\
Angelia {__version__} listens on {address}

  model    {_model(settings)}
  tools    work in {settings.workspace}, sandbox: {_sandbox(services)}
  key      {key}
           show it with: cat {kept}

Talk to it in the browser at {address}/ (sign in with the key), in the terminal with
{shlex.quote(sys.argv[0])} chat, or:

  curl -N {address}/v1/chat/completions \\
    -H "Authorization: Bearer $(cat {kept})" \\
    -H "Content-Type: application/json" \\
    -d '{_QUESTION}'
"""


def _sandbox(services: Services) -> str:
    if not services.sandbox_reason:
        return services.sandbox_level
    level, reason = services.sandbox_level, services.sandbox_reason
    return (
        f"{level}, so no command can run:\n           {reason}\n"
        "           the way out: angelia doctor"
    )


def _model(settings: Settings) -> str:
    """Which model is in force, and why."""
    if not settings.chain:
        return "demo model (no model configured)"
    first, *rest = settings.chain
    others = (f"\n           then {model.model} at {model.provider.base_url}" for model in rest)
    return f"{first.model} at {first.provider.base_url}, from {first.source}{''.join(others)}"
