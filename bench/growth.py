"""Whether a delta costs more in a longer run, and a turn more than what the model is sent."""

import asyncio
import statistics
from collections.abc import Iterator, Sequence

import msgspec
import uvloop

from bench import framing, proc, servers
from bench.connection import Connection, connect
from bench.dialects import DIALECTS
from bench.goals import Verdict
from bench.outcome import Point
from bench.scenarios import Scenario

# So many deltas, so many runs.
LENGTHS = {200: 10, 2_000: 4, 20_000: 1}
QUICK_LENGTHS = {20: 2, 200: 1}
# Slow enough that each delta is an event of its own; a burst arrives as a few large ones.
PACE = 1_000
# Length should not matter; this much is noise.
PER_DELTA, PER_TURN = 1.2, 1.0
TURNS, QUICK_TURNS = 200, 10
WINDOWS = 10
DELTAS_PER_TURN = 10


def run_of(deltas: int, runs: int = 1) -> Scenario:
    """No tool, one stream."""
    name = f"length-{deltas}"
    return Scenario(name, 1, runs=runs, deltas=deltas, pace=PACE, tools=False)


class Usage(msgspec.Struct):
    input_tokens: int = 0


class Told(msgspec.Struct):
    event: str
    usage: Usage = msgspec.field(default_factory=Usage)


_told = msgspec.json.Decoder(Told)


def turns(server: servers.Server, count: int) -> list[Point]:
    """One session, turn after turn; CPU and tokens sent, by window of turns."""
    return uvloop.run(_turns(server, count))


async def _turns(server: servers.Server, count: int) -> list[Point]:
    connection = await connect(server.address)
    size = max(1, count // WINDOWS)
    points: list[Point] = []
    async with asyncio.timeout(120):
        await _turn(connection, "warm-up", 0)
        for begin in range(0, count, size):
            before = proc.cpu_ms(server.pid)
            numbers = range(begin, begin + size)
            sent = [await _turn(connection, "long", number) for number in numbers]
            spent = (proc.cpu_ms(server.pid) - before) / size
            points.append(Point(begin + size, spent, statistics.mean(sent)))
    connection.transport.close()
    return points


async def _turn(connection: Connection, session: str, number: int) -> int:
    """Tokens that the model was sent; `ValueError` when the turn did not come to its end."""
    dialect = DIALECTS["runs"]
    body = {"input": f"This is turn {number}.", "session_id": f"bench-{session}"}
    request = framing.post(dialect.path, msgspec.json.encode(body), servers.KEY)
    follow = dialect.follow(await connection.fetch(request), servers.KEY)
    events = (await connection.fetch(follow)).split(b"\n")
    told = [_told.decode(line[5:]) for line in events if line.startswith(b"data:")]
    if told[-1].event != "run.completed":
        raise ValueError(f"turn {number} ended with {told[-1].event}")
    return told[-1].usage.input_tokens


def length_verdicts(lengths: Sequence[Point]) -> Iterator[Verdict]:
    """The longest run against the one before: in the shortest, what a run costs itself weighs."""
    longer = lengths[-1].cpu / lengths[-2].cpu if lengths else None
    what = "CPU per delta, run of 20,000 against 2,000"
    yield Verdict(what, "at most", PER_DELTA, longer, "times")


def turn_verdicts(turns: Sequence[Point]) -> Iterator[Verdict]:
    """The last turns against those half way."""
    later = _later(turns[len(turns) // 2 - 1], turns[-1]) if turns else None
    what = "CPU per turn and token sent, last turn against half way"
    yield Verdict(what, "at most", PER_TURN, later, "times")


def _later(middle: Point, last: Point) -> float:
    return (last.cpu / middle.cpu) / (last.sent / middle.sent)
