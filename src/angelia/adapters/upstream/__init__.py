"""Models behind HTTP: chat completions, responses and messages, one client for all three."""

from angelia.adapters.upstream.endpoint import Endpoint, Timeouts
from angelia.adapters.upstream.model import Upstream, UpstreamModel

__all__ = ["Endpoint", "Timeouts", "Upstream", "UpstreamModel"]
