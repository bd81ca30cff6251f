"""What is measured, as data: surface × pace × streams × tools, and who takes part."""

from collections.abc import Iterator

import msgspec

SURFACES = ("chat", "responses", "runs")
STREAMS = (1, 32, 200, 1_000)
PACE = 50
# 1,000 streams at 50 deltas per second are more than any server here can do on two cores. A fifth
# of it is as many deltas per second as 200 streams have, and the floor keeps up with those.
PACES = {1_000: 10}
# From so many streams on a health check every 20 ms is next to nothing.
PROBED = 32
OURS = ("relay", "floor", "angelia")
# The relay knows one protocol, and says the same in every other place.
RELAYED = ("chat-burst-1", "chat-burst-32", "chat-paced-200", "chat-paced-1000")
AGENTS = ("openai-agents", "pydantic-ai", "langgraph", "hermes")
PROXIES = ("litellm",)
PEERS = (*AGENTS, *PROXIES)


class Scenario(msgspec.Struct, frozen=True):
    """`streams` side by side, each `runs` runs of `deltas` deltas, behind one tool round or none.

    `pace` is in deltas per second; 0 is a burst.
    """

    name: str
    streams: int
    runs: int = 1
    deltas: int = 200
    pace: int = 0
    surface: str = "chat"
    tools: bool = True
    ramp: float = 0.0
    rounds: int = 3
    timeout: float = 90.0
    servers: tuple[str, ...] = OURS

    @property
    def script(self) -> str:
        """The part of the upstream's address that says what the model does."""
        return f"{self.pace}/{self.deltas}/{'tool' if self.tools else 'plain'}"

    @property
    def probed(self) -> bool:
        """Whether health checks go along; beside few streams they would be most of the load."""
        return bool(self.pace) and self.streams >= PROBED


def burst(streams: int, surface: str = "chat", *, tools: bool = True) -> Scenario:
    return Scenario(
        _name(surface, "burst", streams, tools=tools),
        streams,
        runs=max(1, 96 // streams),
        surface=surface,
        tools=tools,
        rounds=5 if streams < 200 else 3,
        servers=_servers(f"{surface}-burst-{streams}"),
    )


def paced(streams: int, surface: str = "chat", *, tools: bool = True) -> Scenario:
    pace = PACES.get(streams, PACE)
    return Scenario(
        _name(surface, "paced", streams, tools=tools),
        streams,
        deltas=200 if pace == PACE else 120,
        pace=pace,
        surface=surface,
        tools=tools,
        ramp=streams / (100 if pace == PACE else 160),
        servers=_servers(f"{surface}-paced-{streams}"),
    )


def _servers(name: str) -> tuple[str, ...]:
    return OURS if name in RELAYED else OURS[1:]


def _name(surface: str, mode: str, streams: int, *, tools: bool) -> str:
    return f"{surface}-{mode}-{streams}" + ("" if tools else "-plain")


TOOL = Scenario("tool", 1, runs=96, deltas=1, rounds=5)


def matrix() -> Iterator[Scenario]:
    """Everything there is: an hour and more."""
    yield TOOL
    for surface in SURFACES:
        for tools in (True, False):
            for streams in STREAMS:
                yield burst(streams, surface, tools=tools)
                yield paced(streams, surface, tools=tools)


def peers() -> Iterator[Scenario]:
    """What others are compared on: few streams, since some of them take no more."""
    ours = OURS[1:]
    for kind, tools, others in (("agents", True, AGENTS), ("proxies", False, PROXIES)):
        alone = Scenario(f"{kind}-burst-1", 1, runs=20, tools=tools, servers=ours + others)
        beside = Scenario(f"{kind}-paced-50", 50, pace=PACE, ramp=1.0, servers=ours + others)
        yield alone
        yield msgspec.structs.replace(beside, tools=tools, rounds=2)


CHOSEN = (
    TOOL,
    *(burst(streams) for streams in STREAMS),
    *(paced(streams) for streams in STREAMS),
    burst(1, tools=False),
    paced(200, tools=False),
    *(burst(1, surface) for surface in SURFACES[1:]),
    *(paced(200, surface) for surface in SURFACES[1:]),
)


def quick(scenario: Scenario) -> Scenario:
    """One short round, to see that it works."""
    return msgspec.structs.replace(
        scenario,
        streams=min(scenario.streams, 20),
        runs=min(scenario.runs, 8),
        deltas=min(scenario.deltas, scenario.pace // 2 or 50),
        ramp=0.0,
        rounds=1,
    )
