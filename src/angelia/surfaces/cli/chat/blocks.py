"""What a chat consists of on the screen: blocks that are finished, and what is still going on."""

from typing import Literal

from msgspec import Struct

from angelia.wire.runs.shapes import ApprovalRequestedOut

Look = Literal["plain", "dim", "bad", "good"]


class Spoken(Struct, frozen=True):
    """What the person said."""

    text: str


class Prose(Struct, frozen=True):
    """One block of the answer, in Markdown."""

    text: str


class Thought(Struct, frozen=True):
    text: str
    seconds: float


class ToolEnded(Struct, frozen=True):
    tool: str
    label: str
    emoji: str
    outcome: str
    seconds: float
    output: str = ""


class SubagentEnded(Struct, frozen=True):
    goal: str
    status: str
    summary: str
    seconds: float


class Question(Struct, frozen=True):
    """A call that a person is asked about."""

    tool: str
    preview: str
    reason: str
    code: str


class Remark(Struct, frozen=True):
    """A line about the run itself."""

    text: str
    look: Look = "dim"


Block = Spoken | Prose | Thought | ToolEnded | SubagentEnded | Question | Remark


class Subagent(Struct, frozen=True):
    goal: str
    since: float


class Running(Struct, frozen=True):
    """A call under way; `tail` is the end of what it has printed so far."""

    tool: str
    label: str
    emoji: str
    since: float
    tail: tuple[str, ...] = ()
    subagents: tuple[Subagent, ...] = ()


class Live(Struct, frozen=True):
    """Everything unfinished. `asked` is the question that waits for an answer, `more` how many
    wait behind it, `covers` what a longer yes is good for, and `proposed` what would be changed;
    `queued` is what the model has yet to read.
    """

    prose: str = ""
    thought: str = ""
    thought_since: float = 0.0
    tools: tuple[Running, ...] = ()
    queued: tuple[str, ...] = ()
    note: str = ""
    asked: ApprovalRequestedOut | None = None
    more: int = 0
    covers: tuple[str, ...] = ()
    proposed: str = ""
