"""The openai packages on chat completions: every chunk goes to the program, unknown fields too."""

import msgspec

from angelia.surfaces.cli.doctor.clients.chunks import Chunk, Progress, draw
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
    if progress := chunk.progress or _at_top(event):
        progress.draw(canvas)
        if not chunk.choices:
            canvas.remark(NO_CHOICE)
    draw(canvas, chunk)


def _at_top(event: bytes) -> Progress | None:
    try:
        return msgspec.json.decode(event, type=Progress)
    except msgspec.ValidationError:
        return None
