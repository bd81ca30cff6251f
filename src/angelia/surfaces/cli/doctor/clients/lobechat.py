"""LobeChat on chat completions: openai-node, then one kind of content for each chunk."""

from angelia.surfaces.cli.doctor.clients.chunks import Choice, Chunk, draw_calls
from angelia.surfaces.cli.doctor.clients.sdk import Raised, frames
from angelia.surfaces.cli.doctor.shown import Canvas, Shown

LOST = "Text is lost that shares a chunk with reasoning or with a tool call."
NO_REASON = "An error behind the first chunk only breaks the answer off; its message is not shown."


def read(data: bytes) -> Shown:
    canvas = Canvas()
    seen = 0
    try:
        for chunk, _ in frames(data):
            seen += 1
            _show(canvas, chunk)
    except Raised as error:
        canvas.trouble(str(error) if not seen else "the answer breaks off")
        if seen:
            canvas.remark(NO_REASON)
    return canvas.shown()


def _show(canvas: Canvas, chunk: Chunk) -> None:
    """Exactly one thing is taken from a chunk: the first of these that is there."""
    if not chunk.choices:
        if chunk.usage is not None:
            canvas.tokens = chunk.usage.tokens
        return
    choice = chunk.choices[0]
    if choice.delta is not None and choice.delta.tool_calls:
        draw_calls(canvas, choice.delta)
        _note_loss(canvas, choice)
    elif choice.finish_reason:
        canvas.finish = choice.finish_reason
        canvas.say(choice.delta.content or "" if choice.delta else "")
    elif choice.delta is not None and choice.delta.thought:
        canvas.think(choice.delta.thought)
        _note_loss(canvas, choice)
    elif choice.delta is not None and choice.delta.content:
        canvas.say(choice.delta.content)


def _note_loss(canvas: Canvas, choice: Choice) -> None:
    if choice.delta is not None and choice.delta.content:
        canvas.remark(LOST)
