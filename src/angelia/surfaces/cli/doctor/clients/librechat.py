"""LibreChat on chat completions: LangChain on openai-node, which skips what has no choice."""

from angelia.surfaces.cli.doctor.clients.chunks import draw
from angelia.surfaces.cli.doctor.clients.sdk import Raised, frames
from angelia.surfaces.cli.doctor.shown import Canvas, Shown


def read(data: bytes) -> Shown:
    canvas = Canvas()
    try:
        for chunk, _ in frames(data):
            draw(canvas, chunk)
    except Raised as error:
        canvas.trouble(str(error))
    return canvas.shown()
