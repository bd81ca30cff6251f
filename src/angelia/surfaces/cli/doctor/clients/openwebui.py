"""Open WebUI on chat completions: reads line by line, adds usage up, shows status events."""

from collections.abc import Iterator

import msgspec

from angelia.surfaces.cli.doctor.clients.chunks import Chunk, Status, draw_calls
from angelia.surfaces.cli.doctor.shown import RUNNING, Canvas, Shown

# Its HTTP client reads lines into a buffer of this size and gives up on longer ones.
LONGEST_LINE = 64 * 1024
MERGED = "Reasoning that comes after text is added to the reasoning above it."


def read(data: bytes) -> Shown:
    page = _Page()
    for line in data.split(b"\n"):
        if len(line) > LONGEST_LINE:
            page.canvas.trouble(f"a line of {len(line)} bytes is too long; the answer breaks off")
            break
        for chunk in _chunk(line):
            page.show(chunk)
    return page.canvas.shown()


def _chunk(line: bytes) -> Iterator[Chunk]:
    """None for whatever it passes over: comments, names of events, what is no JSON."""
    if not line.startswith(b"data:"):
        return
    try:
        yield msgspec.json.decode(line[5:].strip(), type=Chunk)
    except msgspec.DecodeError:
        return


class _Page:
    """The message that is being shown."""

    def __init__(self) -> None:
        self.canvas = Canvas()
        self._open: list[str] = []

    def show(self, chunk: Chunk) -> None:
        canvas = self.canvas
        if chunk.event is not None and chunk.event.type == "status":
            self._status(chunk.event)
        if chunk.usage is not None:
            tokens = chunk.usage.tokens
            canvas.tokens = tokens if canvas.tokens is None else canvas.tokens + tokens
        if not chunk.choices:
            if chunk.complaint:
                canvas.trouble(chunk.complaint)
            return
        choice = chunk.choices[0]
        canvas.finish = choice.finish_reason or canvas.finish
        if choice.delta is None:
            return
        draw_calls(canvas, choice.delta)
        if thought := choice.delta.thought:
            self._think(thought)
        if choice.delta.content:
            canvas.say(choice.delta.content)

    def _think(self, thought: str) -> None:
        if not self.canvas.has_text:
            self.canvas.think(thought)
            return
        self.canvas.think_above(thought)
        self.canvas.remark(MERGED)

    def _status(self, status: Status) -> None:
        """A line of the history; the end of a call repeats its line, with the outcome behind."""
        description = status.data.description
        if not status.data.done:
            self._open.append(description)
            self.canvas.card(_key(description, len(self._open)), description, RUNNING)
            return
        for number, begun in enumerate(self._open, 1):
            if begun and (description == begun or description.startswith(f"{begun} (")):
                outcome = description[len(begun) :].strip(" ()") or "ok"
                self.canvas.card(_key(begun, number), begun, outcome)
                self._open[number - 1] = ""
                return
        self.canvas.card(_key(description, 0), description, "ok")


def _key(description: str, number: int) -> str:
    return f"{number} {description}"
