"""What an agent is told besides its instructions."""

from typing import Protocol

from angelia.ports.tools import Caller


class Briefing(Protocol):
    async def text(self, caller: Caller) -> str:
        """For the instructions of a run that begins now; empty if there is nothing to say.

        The same words as before as long as nothing has changed, so that prompts begin the same.
        """
        ...
