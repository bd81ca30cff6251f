"""The server's tools by name, and one call of one of them from its start to its end."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence

from angelia.core.arguments import fault
from angelia.core.events import (
    OutputDelta,
    SubagentCompleted,
    SubagentStarted,
    ToolFinished,
    ToolStarted,
)
from angelia.core.excerpt import excerpt, head
from angelia.core.messages import ToolCall
from angelia.core.policy import NOTHING, Touched
from angelia.core.redact import SHAPES_ONLY, Redactor
from angelia.core.suggest import unknown_tool
from angelia.errors import StorageError, ToolError
from angelia.ports import (
    Caller,
    Clock,
    Emit,
    OutputStore,
    Stream,
    Tool,
    ToolContext,
    ToolOutput,
    ToolSource,
)

OUTPUT_LIMIT = 32_000
# The tool that reads on in a result.
READING = "read_output"
IN_DOUBT = (
    "The server stopped while this call was under way. It may or may not have taken effect. "
    "Find out before you repeat it."
)

NOT_KEPT = "the rest could not be kept on the server's disk and is lost"

logger = logging.getLogger(__name__)


class CallContext:
    """What one call may know and show; counts what it has shown."""

    def __init__(self, run_id: str, call_id: str, caller: Caller, offer: Emit) -> None:
        self._run_id = run_id
        self._call_id = call_id
        self._caller = caller
        self._offer = offer
        self._shown = 0

    @property
    def run_id(self) -> str:
        return self._run_id

    @property
    def call_id(self) -> str:
        return self._call_id

    @property
    def caller(self) -> Caller:
        return self._caller

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        """Everybody who watches reads this; `LiveOutput` takes secrets out of it first."""
        delta = OutputDelta(self._call_id, text, self._shown, stream)
        self._shown += len(text.encode())
        await self._offer((delta,))

    async def tell(self, event: SubagentStarted | SubagentCompleted) -> None:
        await self._offer((event,))


class LiveOutput:
    """What a tool sees of its call: holds back the end of what it shows until it is a whole word.

    A secret may come in pieces, and half of one has no shape that tells.
    """

    def __init__(self, context: CallContext, redact: Redactor) -> None:
        self._context = context
        self._redact = redact
        self._held: dict[Stream, str] = {}

    @property
    def run_id(self) -> str:
        return self._context.run_id

    @property
    def call_id(self) -> str:
        return self._context.call_id

    @property
    def caller(self) -> Caller:
        return self._context.caller

    async def tell(self, event: SubagentStarted | SubagentCompleted) -> None:
        await self._context.tell(event)

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        # A secret with a space in it is more than one word.
        text = self._redact.without_secrets(self._held.get(stream, "") + text)
        place = self._redact.settled(text)
        self._held[stream] = text[place:]
        await self._show(text[:place], stream)

    async def flush(self) -> None:
        """Nothing more will come."""
        held, self._held = self._held, {}
        for stream, text in held.items():
            await self._show(text, stream)

    async def _show(self, text: str, stream: Stream) -> None:
        if text:
            await self._context.show(self._redact(text), stream)


class Toolbox:
    """What iterates over it sees the tools that a run may be offered that starts now.

    `redact` knows the secrets of the server, which no event may hold; `off` are names of tools
    that are switched off.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        outputs: OutputStore,
        clock: Clock,
        redact: Redactor = SHAPES_ONLY,
        sources: Sequence[ToolSource] = (),
        off: Iterable[str] = (),
    ) -> None:
        self.redact = redact
        self._off = set(off)
        self._own = {tool.spec.name: tool for tool in tools}
        self._tools = dict(self._own)
        self._offered = dict(self._own)
        self._looked = not sources
        self._sources = sources
        self._outputs = outputs
        self._clock = clock

    def __iter__(self) -> Iterator[Tool]:
        return (tool for name, tool in self._offered.items() if name not in self._off)

    @property
    def every(self) -> tuple[Tool, ...]:
        """Those that are switched off as well."""
        return tuple(self._offered.values())

    def is_on(self, name: str) -> bool:
        return name not in self._off

    def switch(self, name: str, *, on: bool) -> None:
        """For runs that start from now on. Those that have a tool keep it."""
        if on:
            self._off.discard(name)
        else:
            self._off.add(name)

    async def refresh(self) -> None:
        """Looks what there is at this moment. What is gone stays known to runs that have it."""
        if not self._sources:
            return
        found = await asyncio.gather(*(source.tools() for source in self._sources))
        self._looked = True
        brought = {tool.spec.name: tool for tools in found for tool in tools}
        self._offered = brought | self._own
        self._tools |= self._offered

    async def prepare(self) -> None:
        """For runs of an earlier process, whose tools nobody has looked for in this one."""
        if not self._looked:
            await self.refresh()

    def touched(self, call: ToolCall) -> Touched:
        tool = self._tools.get(call.name)
        return tool.touched(call.arguments) if tool else NOTHING

    def lane(self, call: ToolCall) -> str | None:
        tool = self._tools.get(call.name)
        return tool.lane(call.arguments) if tool else None

    def label(self, call: ToolCall) -> str:
        tool = self._tools.get(call.name)
        return self.redact(tool.label(call.arguments)) if tool else call.name

    def started(self, call: ToolCall) -> ToolStarted:
        tool = self._tools.get(call.name)
        return ToolStarted(
            call.id,
            call.name,
            self.redact(call.arguments),
            tool.spec.effect if tool else "pure",
            self.label(call),
            tool.emoji if tool else "❔",
        )

    async def work(self, call: ToolCall, context: CallContext) -> ToolFinished:
        """Does the call. Whatever it comes to is a result; only cancellation passes through."""
        begun = self._clock.monotonic()
        live = LiveOutput(context, self.redact)
        output = await self._output(call, live)
        await live.flush()
        return await self._finished(call, output, context.run_id, self._clock.monotonic() - begun)

    async def _output(self, call: ToolCall, context: ToolContext) -> ToolOutput:
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolOutput(unknown_tool(call.name, self._tools), "error")
        if (wrong := fault(call.arguments)) is not None:
            return ToolOutput(f"Invalid arguments for {call.name}: {wrong}", "error")
        try:
            return await tool.call(call.arguments if call.arguments.strip() else "{}", context)
        except ToolError as error:
            return ToolOutput(str(error), "error")
        except TimeoutError as error:
            return ToolOutput(str(error) or "The tool took too long.", "timeout")
        # A tool may come from a third party; its defect must not take the run with it.
        except Exception as error:  # noqa: BLE001
            return ToolOutput(f"The tool failed: {type(error).__name__}: {error}", "error")

    def _rest(self, run_id: str, call_id: str, whole: str) -> str:
        """How to read on: for the model, if it has a tool for that, and for people."""
        told = f"all of it: GET /v1/runs/{run_id}/tools/{call_id}/output"
        if READING not in self._own:
            return told
        begun = len(head(whole, OUTPUT_LIMIT).encode())
        return f'read on with {READING}, of="{run_id}/{call_id}", offset={begun}; {told}'

    async def _kept(self, run_id: str, call_id: str, data: bytes) -> bool:
        """A full disk takes the rest of an output; what the tool has done stays done, and told."""
        try:
            await self._outputs.put(run_id, call_id, data)
        except StorageError as error:
            logger.warning("call %s of run %s: %s", call_id, run_id, error)
            return False
        return True

    async def _finished(
        self, call: ToolCall, output: ToolOutput, run_id: str, duration: float
    ) -> ToolFinished:
        whole = self.redact(output.text)
        cut = excerpt(whole, OUTPUT_LIMIT, self._rest(run_id, call.id, whole))
        data = whole.encode()
        if cut.truncated and not await self._kept(run_id, call.id, data):
            cut = excerpt(whole, OUTPUT_LIMIT, NOT_KEPT)
        return ToolFinished(
            call.id,
            call.name,
            output.outcome,
            cut.text,
            round(duration, 6),
            cut.truncated,
            len(data),
            output.sandbox,
        )


def cancelled(call: ToolCall, duration: float = 0.0) -> ToolFinished:
    return ToolFinished(call.id, call.name, "cancelled", "The run was stopped.", round(duration, 6))


def denied(call: ToolCall, reason: str = "") -> ToolFinished:
    said = f"This call was not allowed. {reason}".rstrip()
    return ToolFinished(call.id, call.name, "denied", said)


def in_doubt(call: ToolCall) -> ToolFinished:
    return ToolFinished(call.id, call.name, "in_doubt", IN_DOUBT)
