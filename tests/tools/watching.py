"""A tool context that remembers what it was shown and told."""

from angelia.core.events import SubagentCompleted, SubagentStarted
from angelia.ports import Caller, Stream

SOMEBODY = Caller("key_1", "s1")


class Watcher:
    caller = SOMEBODY

    def __init__(
        self, caller: Caller | None = None, run_id: str = "run_1", call_id: str = "call_1"
    ) -> None:
        self.caller = caller or self.caller
        self.run_id = run_id
        self.call_id = call_id
        self.shown: list[tuple[str, Stream]] = []
        self.told: list[SubagentStarted | SubagentCompleted] = []

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        self.shown.append((text, stream))

    async def tell(self, event: SubagentStarted | SubagentCompleted) -> None:
        self.told.append(event)

    def text(self, stream: Stream | None = None) -> str:
        return "".join(text for text, where in self.shown if stream in (None, where))
