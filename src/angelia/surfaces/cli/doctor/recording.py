"""A run to replay: its own events, and its stream as a client would get it."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Protocol, assert_never

import msgspec
from msgspec import Struct

from angelia.config import Settings
from angelia.core.events import AnyEvent, Entry
from angelia.surfaces.cli.doctor.clients.known import View
from angelia.wire import sse
from angelia.wire.chat import server as chat
from angelia.wire.responses.dialects import Dialect, choose_items
from angelia.wire.responses.ids import response_id
from angelia.wire.responses.server import DONE, Subject, Writer
from angelia.wire.responses.server import sse as sse_frames
from angelia.wire.runs.server import render

SAMPLE = "sample.jsonl"
SAMPLE_ID = "run_sample"
# A recording has no clock; the time of its entries is not shown anywhere.
SAMPLE_TIME = 1_700_000_000.0


class Rendered(Struct, frozen=True):
    """The bytes of a stream, and the dialect that they are in."""

    data: bytes
    dialect: str


class Recording(Protocol):
    """`title` says which run it is."""

    @property
    def title(self) -> str: ...

    async def events(self) -> list[bytes]:
        """The JSON of the run's own events."""
        ...

    async def rendered(self, view: View) -> Rendered: ...


class Kept:
    """A run whose entries are at hand."""

    def __init__(self, title: str, entries: Sequence[Entry], settings: Settings) -> None:
        self.title = title
        self._entries = entries
        self._settings = settings

    async def events(self) -> list[bytes]:
        return [event.data for event in sse.Decoder().feed(render(self._entries))]

    async def rendered(self, view: View) -> Rendered:
        match view.surface:
            case "chat":
                return self._as_chat(chat_dialect(view, self._settings))
            case "responses":
                return self._as_responses(items_dialect(view, self._settings))
            case _:
                assert_never(view.surface)

    def _as_chat(self, dialect: chat.Dialect) -> Rendered:
        writer = chat.Writer(
            completion_id="chatcmpl-doctor",
            model=self._settings.agent.name,
            created=int(self._entries[0].at),
            dialect=dialect,
            include_usage=True,
            reasoning=self._settings.chat.reasoning,
        )
        return Rendered(writer.open() + writer.write(self._entries), dialect)

    def _as_responses(self, dialect: Dialect) -> Rendered:
        first = self._entries[0]
        subject = Subject(response_id(first.run_id), self._settings.agent.name, int(first.at))
        frames = Writer(subject, dialect=dialect).write(self._entries)
        return Rendered(sse_frames(frames) + DONE, dialect)


def chat_dialect(view: View, settings: Settings) -> chat.Dialect:
    """The form of tool progress that this client gets."""
    return chat.choose_dialect(
        requested=None,
        key_setting=settings.chat.tool_events,
        user_agent=view.user_agent,
        headers=view.headers,
    )


def items_dialect(view: View, settings: Settings) -> Dialect:
    """The form of items in which this client gets the tools of the server."""
    return choose_items(
        requested=None,
        key_setting=settings.responses.tool_items,
        user_agent=view.user_agent,
        headers=view.headers,
        declares_tools=False,
    )


def sample(settings: Settings) -> Kept:
    """The run that comes with the program."""
    lines = files("angelia.surfaces.cli.doctor").joinpath(SAMPLE).read_bytes().splitlines()
    entries = [
        Entry(SAMPLE_ID, seq, SAMPLE_TIME, msgspec.json.decode(line, type=AnyEvent))
        for seq, line in enumerate(lines, 1)
    ]
    return Kept("the sample run", entries, settings)
