"""A stream to one reader: its head, its silence, its end, and a reader who does not read."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator

from angelia.core.events import Completed, Entry, Failed, RunEnded, TextDelta
from angelia.ports import Batch
from angelia.surfaces.http.errors import ended_badly
from angelia.surfaces.http.stream import KEEP_ALIVE, PIECE, TRANSPORT, EventStream, Pulse


def failure(ending):
    return ended_badly(ending, {"X-Run": "1"})


class Letters:
    """A view that shows text as it is."""

    done = False

    def open(self) -> bytes:
        return b"<open>"

    def write(self, batch: Batch) -> bytes:
        texts = [e.event.text for e in batch.entries if isinstance(e.event, TextDelta)]
        return "".join(texts).encode()


class Reader:
    """The other end: takes messages while it is willing, and leaves when told."""

    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.willing = asyncio.Event()
        self.willing.set()
        self.leaves = asyncio.Event()
        self.waiting = 0

    async def send(self, message: dict) -> None:
        self.waiting += 1
        await self.willing.wait()
        # A middleware may let others go first.
        await asyncio.sleep(0)
        self.waiting -= 1
        self.messages.append(message)

    async def receive(self) -> dict:
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    @property
    def body(self) -> bytes:
        return b"".join(m.get("body", b"") for m in self.messages)

    @property
    def status(self) -> int:
        return self.messages[0]["status"]


def batch(*events) -> Batch:
    return Batch(tuple(Entry("run_1", seq, 0.0, event) for seq, event in enumerate(events, 1)))


class Source:
    """Batches that a test hands out one by one."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Batch | None] = asyncio.Queue()
        self.closed = False

    def give(self, *events) -> None:
        self._queue.put_nowait(batch(*events) if events else None)

    async def __aiter__(self) -> AsyncIterator[Batch]:
        try:
            while (given := await self._queue.get()) is not None:
                yield given
        finally:
            self.closed = True


def stream(source: Source, left: list[str] | None = None, **more) -> EventStream:
    async def leave() -> None:
        if left is not None:
            left.append("left")

    given = {"view": Letters(), "pulse": Pulse(keep_alive=60, patience=30), **more}
    return EventStream(batches=aiter(source), headers={"X-Run": "1"}, on_leave=leave, **given)


async def play(response: EventStream, reader: Reader) -> None:
    await response({"type": "http"}, reader.receive, reader.send)


async def test_a_stream_opens_writes_and_ends() -> None:
    source, reader, left = Source(), Reader(), []
    source.give(TextDelta("a"), TextDelta("b"))
    source.give(RunEnded(Completed()))
    source.give()
    await play(stream(source, left), reader)
    assert reader.status == 200
    assert reader.body == b"<open>ab"
    assert reader.messages[-1]["more_body"] is False
    assert (b"x-run", b"1") in reader.messages[0]["headers"]
    assert not left


async def test_the_head_alone_is_shown_without_waiting_for_the_run() -> None:
    source, reader, left = Source(), Reader(), []
    response = stream(source, left)
    async with asyncio.timeout(5):
        await response({"type": "http", "method": "HEAD"}, reader.receive, reader.send)
    assert reader.status == 200
    assert (b"x-run", b"1") in reader.messages[0]["headers"]
    assert (reader.body, reader.messages[-1]["more_body"]) == (b"", False)
    assert not left


async def test_a_run_that_fails_before_its_first_word_is_answered_with_a_status() -> None:
    source, reader = Source(), Reader()
    source.give(RunEnded(Failed("no credit", "upstream_refused")))
    await play(stream(source, grace=5, failure=failure), reader)
    assert reader.status == 502
    assert (b"x-run", b"1") in reader.messages[0]["headers"]
    assert b'"code":"upstream_refused"' in reader.body
    assert b"<open>" not in reader.body


async def test_the_head_does_not_wait_longer_than_its_grace() -> None:
    source, reader = Source(), Reader()
    playing = asyncio.create_task(play(stream(source, grace=0.01, failure=failure), reader))
    while not reader.body:
        await asyncio.sleep(0.005)
    assert reader.body == b"<open>"
    source.give(RunEnded(Failed("late", "upstream_refused")))
    source.give()
    await playing
    assert reader.status == 200


async def test_silence_is_filled_with_comments() -> None:
    source, reader = Source(), Reader()
    playing = asyncio.create_task(
        play(stream(source, pulse=Pulse(keep_alive=0.02, patience=30)), reader)
    )
    while reader.body.count(KEEP_ALIVE) < 2:
        await asyncio.sleep(0.005)
    source.give(TextDelta("still here"))
    source.give()
    await playing
    assert reader.body.endswith(b"still here")


async def test_a_reader_who_leaves_is_noticed() -> None:
    source, reader, left = Source(), Reader(), []
    source.give(TextDelta("a"))
    playing = asyncio.create_task(play(stream(source, left), reader))
    while b"a" not in reader.body:
        await asyncio.sleep(0.005)
    reader.leaves.set()
    await playing
    assert left == ["left"]


async def test_a_reader_who_takes_nothing_is_let_go() -> None:
    source, reader, left = Source(), Reader(), []
    reader.willing.clear()
    source.give(TextDelta("a"))
    await play(stream(source, left, pulse=Pulse(keep_alive=0.04, patience=0.05)), reader)
    assert left == ["left"]


class Wire:
    """A transport that has so much to send and gets rid of so much with every look."""

    def __init__(self, unsent: int, taken: int) -> None:
        self.unsent = unsent
        self.aborted = False
        self._taken = taken

    def get_write_buffer_size(self) -> int:
        self.unsent = max(0, self.unsent - self._taken)
        return self.unsent

    def abort(self) -> None:
        self.aborted = True


async def test_a_connection_whose_reader_takes_nothing_is_not_waited_for() -> None:
    source, reader, wire = Source(), Reader(), Wire(unsent=1000, taken=0)
    reader.willing.clear()
    source.give(TextDelta("a"))
    response = stream(source, pulse=Pulse(keep_alive=0.04, patience=0.05))
    await response({"type": "http", TRANSPORT: wire}, reader.receive, reader.send)
    assert wire.aborted


async def test_a_reader_who_takes_some_of_what_is_sent_is_not_let_go() -> None:
    source, reader, wire = Source(), Reader(), Wire(unsent=30, taken=1)
    reader.willing.clear()
    source.give(TextDelta("a"))
    source.give()
    response = stream(source, pulse=Pulse(keep_alive=0.04, patience=0.1))
    scope = {"type": "http", TRANSPORT: wire}
    playing = asyncio.create_task(response(scope, reader.receive, reader.send))
    while wire.unsent > 0 and not playing.done():
        await asyncio.sleep(0.005)
    reader.willing.set()
    await playing
    assert reader.body == b"<open>a"
    assert not wire.aborted


async def test_a_long_event_is_sent_in_pieces_and_no_comment_comes_between_them() -> None:
    source, reader = Source(), Reader()
    told = "x" * (3 * PIECE + 1)
    source.give(TextDelta(told))
    source.give()
    await play(stream(source, pulse=Pulse(keep_alive=0.001, patience=30)), reader)
    pieces = [len(message.get("body", b"")) for message in reader.messages]
    assert max(pieces) == PIECE
    assert told.encode() in reader.body


async def test_a_comment_that_comes_too_late_is_not_sent_into_an_event() -> None:
    source, reader = Source(), Reader()
    response = stream(source)
    playing = asyncio.create_task(play(response, reader))
    while not reader.body:
        await asyncio.sleep(0)
    told = "x" * (3 * PIECE)
    # The reader of the log wakes up first, and is in the middle when the comment's turn comes.
    source.give(TextDelta(told))
    for now in (0.0, 100.0):
        response.check(now, keep_alive=15, patience=1_000)
    source.give()
    await playing
    assert told.encode() in reader.body


async def test_nothing_of_a_stream_stays_behind_its_reader() -> None:
    source, reader = Source(), Reader()
    source.give(TextDelta("a"))
    response = stream(source, pulse=Pulse(keep_alive=0.04, patience=30))
    gone = weakref.ref(response)
    playing = asyncio.create_task(play(response, reader))
    del response
    while b"a" not in reader.body or KEEP_ALIVE not in reader.body:
        await asyncio.sleep(0.005)
    reader.willing.clear()
    source.give(TextDelta("b"))
    while not reader.waiting:
        await asyncio.sleep(0.005)
    gc.collect()
    gc.disable()
    try:
        reader.leaves.set()
        await playing
        del playing
        await asyncio.sleep(0)
        assert gone() is None
    finally:
        gc.enable()


async def test_a_word_that_comes_while_the_head_is_on_its_way_stands_behind_it() -> None:
    source, reader = Source(), Reader()
    reader.willing.clear()
    playing = asyncio.create_task(play(stream(source, grace=0.01, failure=failure), reader))
    while not reader.waiting:
        await asyncio.sleep(0.005)
    source.give(TextDelta("a"))
    source.give()
    await asyncio.sleep(0.02)
    reader.willing.set()
    await playing
    assert reader.body == b"<open>a"


async def test_a_failure_that_comes_while_the_head_is_on_its_way_begins_no_second_answer() -> None:
    source, reader = Source(), Reader()
    reader.willing.clear()
    playing = asyncio.create_task(play(stream(source, grace=0.01, failure=failure), reader))
    while not reader.waiting:
        await asyncio.sleep(0.005)
    source.give(RunEnded(Failed("late", "upstream_refused")))
    source.give()
    await asyncio.sleep(0.02)
    reader.willing.set()
    await playing
    starts = [m for m in reader.messages if m["type"] == "http.response.start"]
    assert [start["status"] for start in starts] == [200]


class Brief(Letters):
    """A view that has seen enough after the first batch."""

    @property
    def done(self) -> bool:
        return True


async def test_what_a_stream_follows_is_closed_with_it() -> None:
    source, reader = Source(), Reader()
    source.give(TextDelta("a"))
    await play(stream(source, view=Brief()), reader)
    assert source.closed


async def test_a_server_that_stops_says_farewell_and_the_reader_has_not_left() -> None:
    source, reader, left = Source(), Reader(), []
    source.give(TextDelta("a"))
    playing = asyncio.create_task(play(stream(source, left, farewell=lambda: b"<bye>"), reader))
    while b"a" not in reader.body:
        await asyncio.sleep(0.005)
    playing.cancel()
    await playing
    assert reader.body == b"<open>a<bye>"
    assert reader.messages[-1]["more_body"] is False
    assert not left


async def test_a_server_that_stops_does_not_wait_for_a_reader_who_takes_nothing() -> None:
    source, reader, left = Source(), Reader(), []
    reader.willing.clear()
    source.give(TextDelta("a"))
    playing = asyncio.create_task(play(stream(source, left, farewell=lambda: b"<bye>"), reader))
    while not reader.waiting:
        await asyncio.sleep(0.005)
    playing.cancel()
    await playing
    assert reader.body == b""
    assert not left
