"""The calls of tools that are under way, with what they print and the runs that they begin."""

from angelia.surfaces.cli.chat.blocks import Running, Subagent, SubagentEnded, ToolEnded
from angelia.surfaces.cli.chat.harmless import harmless, printed
from angelia.wire.runs.shapes import (
    SubagentCompletedOut,
    SubagentStartedOut,
    ToolCompletedOut,
    ToolOutputOut,
    ToolStartedOut,
)

TAIL_LINES = 5
# Enough for so many lines of any screen.
_TAIL = 4_000


class _Call:
    def __init__(self, event: ToolStartedOut) -> None:
        self.tool = harmless(event.tool)
        self.label = _one_line(event.preview) or self.tool
        self.emoji = harmless(event.emoji)
        self.since = event.timestamp
        self.printed = ""
        self.subagents: dict[str, Subagent] = {}

    def running(self) -> Running:
        lines = [line for line in printed(self.printed).splitlines() if line.strip()]
        tail, subagents = tuple(lines[-TAIL_LINES:]), tuple(self.subagents.values())
        return Running(self.tool, self.label, self.emoji, self.since, tail, subagents)


class Calls:
    """In the order in which they began."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}
        self._goals: dict[str, str] = {}

    def running(self) -> tuple[Running, ...]:
        return tuple(call.running() for call in self._calls.values())

    def follow(self, event: ToolStartedOut | ToolOutputOut | SubagentStartedOut) -> None:
        if isinstance(event, ToolStartedOut):
            self._calls[event.tool_call_id] = _Call(event)
            return
        call = self._calls.get(event.tool_call_id)
        if isinstance(event, SubagentStartedOut):
            goal = self._goals[event.child_run_id] = _one_line(event.goal)
            if call is not None:
                call.subagents[event.child_run_id] = Subagent(goal, event.timestamp)
        elif call is not None:
            call.printed = (call.printed + event.delta)[-_TAIL:]

    def ended(self, event: ToolCompletedOut | SubagentCompletedOut) -> ToolEnded | SubagentEnded:
        if isinstance(event, SubagentCompletedOut):
            return self._subagent(event)
        call = self._calls.pop(event.tool_call_id, None)
        tool = harmless(event.tool)
        label, emoji = (call.label, call.emoji) if call is not None else (tool, "")
        output = printed(event.output)
        return ToolEnded(tool, label, emoji, event.outcome, event.duration, output)

    def abandoned(self, at: float) -> list[ToolEnded]:
        """Those whose end nobody has told; there are none unless the log says so."""
        left, self._calls = self._calls, {}
        return [
            ToolEnded(call.tool, call.label, call.emoji, "cancelled", at - call.since)
            for call in left.values()
        ]

    def _subagent(self, event: SubagentCompletedOut) -> SubagentEnded:
        call = self._calls.get(event.tool_call_id)
        if call is not None:
            call.subagents.pop(event.child_run_id, None)
        goal = self._goals.pop(event.child_run_id, event.child_run_id)
        return SubagentEnded(goal, event.status, _one_line(event.summary), event.duration)


def _one_line(text: str) -> str:
    return " ".join(harmless(text).split())
