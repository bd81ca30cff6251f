"""The openai packages on chat completions: every chunk goes to the program, unknown fields too."""

import msgspec

from angelia.surfaces.cli.doctor.clients.chunks import Chunk, Progress, draw_calls
from angelia.surfaces.cli.doctor.clients.sdk import Raised, frames
from angelia.surfaces.cli.doctor.shown import Canvas, Shown

NO_CHOICE = "Programs that read choices[0] of every chunk fail on tool progress without choices."


def read(data: bytes) -> Shown:
    canvas = Canvas()
    try:
        for chunk, event in frames(data):
            _show(canvas, chunk, event)
    except Raised as error:
        canvas.trouble(str(error))
    return canvas.shown()


def _show(canvas: Canvas, chunk: Chunk, event: bytes) -> None:
    if chunk.usage is not None:
        canvas.tokens = chunk.usage.tokens
    if progress := chunk.progress or _at_top(event):
        progress.draw(canvas)
        if not chunk.choices:
            canvas.remark(NO_CHOICE)
    if not chunk.choices:
        return
    choice = chunk.choices[0]
    canvas.finish = choice.finish_reason or canvas.finish
    if choice.delta is None:
        return
    canvas.think(choice.delta.thought or "")
    canvas.say(choice.delta.content or "")
    draw_calls(canvas, choice.delta)


def _at_top(event: bytes) -> Progress | None:
    try:
        return msgspec.json.decode(event, type=Progress)
    except msgspec.ValidationError:
        return None
