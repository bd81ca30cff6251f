"""A tool context that remembers what it was shown."""

from angelia.core.events import SubagentCompleted, SubagentStarted
from angelia.ports import Caller, Stream


class Watcher:
    run_id = "run_1"
    caller = Caller("key_1")

    def __init__(self, call_id: str = "call_1") -> None:
        self.call_id = call_id
        self.shown: list[tuple[str, Stream]] = []

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        self.shown.append((text, stream))

    async def tell(self, event: SubagentStarted | SubagentCompleted) -> None:
        """Nobody listens."""

    def text(self, stream: Stream | None = None) -> str:
        return "".join(text for text, where in self.shown if stream in (None, where))
