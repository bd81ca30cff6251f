"""Models behind HTTP: chat completions, responses and messages, one client for all three."""

from angelia.adapters.upstream.endpoint import Endpoint, quirks
from angelia.adapters.upstream.model import Upstream, UpstreamModel
from angelia.core.providers.patience import Timeouts

__all__ = ["Endpoint", "Timeouts", "Upstream", "UpstreamModel", "quirks"]
