"""A tool context that remembers what it was shown."""

from angelia.ports import Stream


class Watcher:
    run_id = "run_1"
    call_id = "call_1"

    def __init__(self) -> None:
        self.shown: list[tuple[str, Stream]] = []

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        self.shown.append((text, stream))

    def text(self, stream: Stream | None = None) -> str:
        return "".join(text for text, where in self.shown if stream in (None, where))
