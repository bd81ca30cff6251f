"""What really happened in a run, up to its end or to the client's turn, from its own events."""

from collections.abc import Iterable
from typing import get_args

import msgspec
from msgspec import Struct

from angelia.core.policy import LimitName
from angelia.surfaces.cli.doctor.shown import Tokens
from angelia.wire.runs.shapes import (
    MessageCompletedOut,
    MessageDeltaOut,
    ReasoningDeltaOut,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
    RunWaitingOut,
    StepResetOut,
    ToolStartedOut,
    UsageOut,
)

Known = (
    MessageDeltaOut
    | MessageCompletedOut
    | ReasoningDeltaOut
    | RunCancelledOut
    | RunCompletedOut
    | RunFailedOut
    | RunWaitingOut
    | StepResetOut
    | ToolStartedOut
)
_KINDS: dict[str, type[Known]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Known)}
_LIMITS = frozenset(get_args(LimitName))


class Truth(Struct, frozen=True):
    """`tools` are the server's that anybody may see, `errands` the calls left to the client.

    `failure` is why there is no answer, and `tokens` what it took, if the run has ended.
    """

    text: str
    reasoning: str
    tools: tuple[str, ...]
    errands: int
    failure: str | None
    tokens: Tokens | None


class _Named(Struct, frozen=True):
    event: str


class _Story:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.tools: list[str] = []
        self.errands = 0
        self.failure: str | None = None
        self.tokens: Tokens | None = None
        self.over = False
        self._streamed = False

    def tell(self, event: Known) -> None:
        match event:
            case MessageDeltaOut(delta=delta):
                self.texts.append(delta)
                self._streamed = True
            case MessageCompletedOut(text=text):
                # A model that does not stream says everything at once.
                self.texts += [] if self._streamed else [text]
                self._streamed = False
            case StepResetOut():
                self._streamed = False
            case ReasoningDeltaOut(delta=delta):
                self.thoughts.append(delta)
            case ToolStartedOut(tool=tool):
                self.tools += [] if tool.startswith("_") else [tool]
            case RunWaitingOut(on="client_tools", tool_calls=calls):
                self.errands, self.over = len(calls), True
            case RunWaitingOut():
                pass
            case RunCompletedOut(usage=usage):
                self._end(usage)
            case RunFailedOut(usage=usage, error=error):
                # A budget that is used up cuts the answer off; it is an answer all the same.
                self._end(usage, None if error.code in _LIMITS else error.message)
            case RunCancelledOut(usage=usage):
                self._end(usage, "The run was stopped.")

    def _end(self, usage: UsageOut, failure: str | None = None) -> None:
        self.tokens = Tokens(usage.input_tokens, usage.output_tokens)
        self.failure, self.over = failure, True


def tell(events: Iterable[bytes]) -> Truth:
    """`events` are the JSON of `/v1/runs/{run_id}/events`."""
    story = _Story()
    for data in events:
        kind = _KINDS.get(msgspec.json.decode(data, type=_Named).event)
        if kind is not None and not story.over:
            story.tell(msgspec.json.decode(data, type=kind))
    return Truth(
        "".join(story.texts),
        "".join(story.thoughts),
        tuple(story.tools),
        story.errands,
        story.failure,
        story.tokens,
    )
