"""Asking a model behind HTTP."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from angelia.adapters.upstream import Endpoint, Timeouts, Upstream
from angelia.adapters.upstream.endpoint import ProtocolName
from angelia.core.events import CallDelta, Delta, Notice, ReasoningDelta, TextDelta
from angelia.core.messages import Prompt, Reply, ToolCall, ToolSpec, user
from angelia.surfaces.upstream.script import Call, Fault, Step

PROTOCOLS: tuple[ProtocolName, ...] = ("chat", "responses", "anthropic")
TOOLS = (ToolSpec("terminal"), ToolSpec("read_file"))
PATIENT = Timeouts(connect=10, first_token=10, between_chunks=10, whole=10)
# Each waits briefly for what never comes and long for what does.
SOON_BEGUN = Timeouts(connect=10, first_token=0.25, between_chunks=10, whole=0.05)
SOON_GONE_ON = Timeouts(connect=10, first_token=10, between_chunks=0.05, whole=0.05)

FOREVER = 30.0
ANSWER = Step(
    text="one two three four",
    reasoning="well well",
    calls=(Call("terminal", '{"command": "ls -la"}', "call_a"),),
    pace=0.0005,
    repeat=True,
)


class HastyClock:
    """Nobody waits; `slept` is what they would have waited."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> float:
        return 1_000_000.0

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class Seen:
    """Everything that was emitted."""

    def __init__(self) -> None:
        self.batches: list[tuple[Delta, ...]] = []

    async def emit(self, deltas: Sequence[Delta]) -> None:
        self.batches.append(tuple(deltas))

    @property
    def deltas(self) -> list[Delta]:
        return [delta for batch in self.batches for delta in batch]

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    @property
    def reasoning(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, ReasoningDelta))

    @property
    def calls(self) -> list[ToolCall]:
        calls: dict[int, ToolCall] = {}
        for delta in self.deltas:
            if isinstance(delta, CallDelta):
                old = calls.get(delta.index, ToolCall("", "", ""))
                calls[delta.index] = ToolCall(
                    delta.id or old.id, delta.name or old.name, old.arguments + delta.arguments
                )
        return [calls[index] for index in sorted(calls)]

    @property
    def notices(self) -> list[Notice]:
        return [delta for delta in self.deltas if isinstance(delta, Notice)]


def prompt(text: str = "hello") -> Prompt:
    return Prompt("angelia", "Be brief.", (user(text),), TOOLS)


def calls_of(reply: Reply) -> list[ToolCall]:
    return [ToolCall(call.id, call.name, call.arguments) for call in reply.message.calls]


@asynccontextmanager
async def upstream() -> AsyncIterator[Upstream]:
    pool = Upstream()
    try:
        yield pool
    finally:
        await pool.close()


def endpoint(base_url: str, protocol: ProtocolName = "chat", **more: object) -> Endpoint:
    fields: dict[str, object] = {"timeouts": PATIENT, "key": "the-secret-of-1", **more}
    return Endpoint(base_url, "scripted", protocol, **fields)  # pyright: ignore[reportArgumentType]


def names(case: object) -> str | None:
    if isinstance(case, Fault):
        fields = ((name, getattr(case, name)) for name in case.__struct_fields__)
        return " ".join(f"{name}={value}" for name, value in fields if value)
    return None


def patience(fault: Fault) -> Timeouts:
    if fault.delay_first or fault.stall == "start":
        return SOON_BEGUN
    return SOON_GONE_ON if fault.stall else PATIENT
