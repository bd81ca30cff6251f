"""LibreChat on chat completions: LangChain on openai-node, which skips what has no choice."""

from angelia.surfaces.cli.doctor.clients.chunks import Chunk, draw_calls
from angelia.surfaces.cli.doctor.clients.sdk import Raised, frames
from angelia.surfaces.cli.doctor.shown import Canvas, Shown


def read(data: bytes) -> Shown:
    canvas = Canvas()
    try:
        for chunk, _ in frames(data):
            _show(canvas, chunk)
    except Raised as error:
        canvas.trouble(str(error))
    return canvas.shown()


def _show(canvas: Canvas, chunk: Chunk) -> None:
    if chunk.usage is not None:
        canvas.tokens = chunk.usage.tokens
    if not chunk.choices:
        return
    choice = chunk.choices[0]
    canvas.finish = choice.finish_reason or canvas.finish
    if choice.delta is None:
        return
    canvas.think(choice.delta.thought or "")
    canvas.say(choice.delta.content or "")
    draw_calls(canvas, choice.delta)
