"""Whatever a provider sends, the log of the run obeys its rules."""

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from angelia.core.chain import shown
from angelia.core.events import (
    DELTA_TYPES,
    AnyEvent,
    CallDelta,
    Completed,
    Entry,
    ModelReplied,
    ReasoningDelta,
    RunEnded,
    StepReset,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from angelia.core.messages import Prompt, Reply
from angelia.core.run import fold
from angelia.ports import Emit, ToolOutput
from angelia.runtime.routes import Chain, Provider, Route
from angelia.wire import sse
from tests.runtime.test_asking import SwiftClock
from tests.runtime.world import Does, World
from tests.wire.noise import RECORDED, bytes_of, cut
from tests.wire.streams import framed
from tests.wire.test_noise import SPOKEN

# The tools that the recorded streams call.
TOOLS = tuple(Does(name, ToolOutput("fine")) for name in ("f", "read_file", "list_files"))
protocols = st.sampled_from(list(SPOKEN))


class Wire:
    """A model whose answers come as bytes, in pieces; behind the last one the first again."""

    def __init__(self, protocol: str, answers: Sequence[Sequence[bytes]]) -> None:
        self._protocol = protocol
        self._answers = answers
        self._asked = 0

    async def ask(self, prompt: Prompt, emit: Emit) -> Reply:
        pieces = self._answers[self._asked % len(self._answers)]
        self._asked += 1
        decoder, reader = sse.Decoder(max_event=200_000), SPOKEN[self._protocol].Reader()
        for piece in pieces:
            for event in decoder.feed(piece):
                if deltas := reader.feed(event):
                    await emit(deltas)
        for event in decoder.close():
            if deltas := reader.feed(event):
                await emit(deltas)
        return reader.finish()


@st.composite
def answers(draw: st.DrawFn, protocol: str) -> list[list[bytes]]:
    """Noise, good answers, and good ones that break off, mixed."""
    recorded = [framed(events, named=protocol != "chat") for events in RECORDED[protocol]]
    good = st.sampled_from(recorded)
    broken = good.flatmap(lambda s: st.integers(0, len(s)).map(lambda place: s[:place]))
    kinds = draw(st.sampled_from([(bytes_of(protocol), good, broken), (broken,)]))
    streams = draw(st.lists(st.one_of(*kinds), min_size=1, max_size=5))
    return [cut(stream, draw(st.lists(st.integers(1, 60), max_size=8))) for stream in streams]


def route(protocol: str, streams: Sequence[Sequence[bytes]], retries: int) -> Route:
    return Route(protocol, protocol, Provider(protocol), (Wire(protocol, streams),), retries)


async def log_of(*routes: Route) -> list[Entry]:
    world = World([], *TOOLS, chain=Chain(routes, chance=lambda: 0.0), clock=SwiftClock())
    run_id = await world.start()
    async with asyncio.timeout(30):
        await world.finished(run_id)
    return list(await world.runs.read(run_id))


@settings(deadline=None, max_examples=150)
@given(st.data(), protocols, protocols, st.integers(0, 2))
def test_a_run_comes_to_one_end_whatever_bytes_it_is_sent(data, first, second, retries) -> None:
    chain = [
        route(first, data.draw(answers(first)), retries),
        route(second, data.draw(answers(second)), retries),
    ]
    entries = asyncio.run(log_of(*chain))
    check([entry.event for entry in entries])
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))


def check(events: Sequence[AnyEvent]) -> None:
    ends = [event for event in events if isinstance(event, RunEnded)]
    assert ends == [events[-1]]
    facts = [event for event in events if not isinstance(event, DELTA_TYPES)]
    assert fold(facts) == fold(events)
    check_calls(events)
    check_resets(events)
    check_text(events)


def check_calls(events: Sequence[AnyEvent]) -> None:
    """Each call of a whole reply is made once and ends once; nothing else is ever made."""
    replied = [event for event in events if isinstance(event, ModelReplied)]
    wanted = [call.id for event in replied for call in event.reply.message.calls]
    started = [event.call_id for event in events if isinstance(event, ToolStarted)]
    finished = [event.call_id for event in events if isinstance(event, ToolFinished)]
    assert len(set(wanted)) == len(wanted)
    assert sorted(started) == sorted(finished) == sorted(wanted)


def check_resets(events: Sequence[AnyEvent]) -> None:
    """Nothing is declared void that was not shown."""
    pending = False
    for event in events:
        if isinstance(event, TextDelta | ReasoningDelta | CallDelta):
            pending = True
        elif isinstance(event, StepReset):
            assert pending
            pending = False
        elif isinstance(event, ModelReplied):
            pending = False


def told(events: Sequence[AnyEvent]) -> str:
    return "".join(map(str, shown(events)))


def check_text(events: Sequence[AnyEvent]) -> None:
    """What the record has of a step is what was shown of it and did not become void."""
    texts: list[str] = []
    for event in events:
        match event:
            case TextDelta(text=text):
                texts.append(text)
            case StepReset():
                texts.clear()
            case ModelReplied():
                assert told([*map(TextDelta, texts), event]).startswith("".join(texts))
                said = "".join(texts)
                if said:
                    assert told([event]).strip() == said.strip()
                texts.clear()
            case RunEnded(ending=Completed()):
                assert texts == []
            case _:
                pass
