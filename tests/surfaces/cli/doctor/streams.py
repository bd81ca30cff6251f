"""Chat streams made by hand, and runs as a client would get them."""

from pathlib import Path

from msgspec import json
from msgspec.structs import replace

from angelia.config import settle
from angelia.core.events import Entry, ModelReplied, RunEnded
from angelia.core.messages import Usage
from angelia.surfaces.cli.doctor.clients.known import CLIENTS, View
from angelia.surfaces.cli.doctor.recording import Kept
from angelia.surfaces.cli.doctor.shown import Shown
from angelia.surfaces.cli.doctor.truth import Truth, tell

SETTINGS = settle("", {}, Path("/home/me/.angelia"))
VIEWS = [view for client in CLIENTS.values() for view in client.views]
DONE = b"data: [DONE]\n\n"


def frame(**fields: object) -> bytes:
    return b"data: %b\n\n" % json.encode({"object": "chat.completion.chunk", **fields})


def delta(finish: str | None = None, **fields: object) -> bytes:
    return frame(choices=[{"index": 0, "delta": fields, "finish_reason": finish}])


def usage(prompt: int, completion: int) -> bytes:
    tokens = {"prompt_tokens": prompt, "completion_tokens": completion}
    return frame(choices=[], usage=tokens)


def call(name: str, arguments: str) -> list[dict[str, object]]:
    return [{"index": 0, "id": "call_1", "function": {"name": name, "arguments": arguments}}]


async def seen(view: View, entries: list[Entry]) -> tuple[Truth, Shown]:
    """What happened, and what the client shows of it."""
    kept = Kept("a run", _counted(entries), SETTINGS)
    return tell(await kept.events()), view.read((await kept.rendered(view)).data)


def _counted(entries: list[Entry]) -> list[Entry]:
    """With the usage at the end that the replies add up to."""
    replies = [entry.event.reply for entry in entries if isinstance(entry.event, ModelReplied)]
    used = sum((reply.usage or Usage() for reply in replies), Usage())
    last = entries[-1]
    if not isinstance(last.event, RunEnded):
        return entries
    return [*entries[:-1], replace(last, event=replace(last.event, usage=used))]
