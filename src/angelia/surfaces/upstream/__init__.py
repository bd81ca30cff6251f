"""`angelia upstream`: a model server that follows a script and fails on request."""

from angelia.surfaces.upstream.script import Chaos, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer, run

__all__ = ["Chaos", "Script", "Step", "UpstreamServer", "run"]
