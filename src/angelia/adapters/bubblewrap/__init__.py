"""Commands kept apart from this machine by bubblewrap."""

from angelia.adapters.bubblewrap.limits import MIB, Limits
from angelia.adapters.bubblewrap.probe import Means, means
from angelia.adapters.bubblewrap.sandbox import Bubblewrap

__all__ = ["MIB", "Bubblewrap", "Limits", "Means", "means"]
