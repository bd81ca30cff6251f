"""Chunks of a chat stream as clients without a schema read them, and the fields they look at."""

from msgspec import Struct

from angelia.surfaces.cli.doctor.shown import RUNNING, Canvas, Tokens


class FunctionPart(Struct, frozen=True):
    name: str | None = None
    arguments: str | None = None


class CallPart(Struct, frozen=True):
    function: FunctionPart = FunctionPart()
    index: int | None = None


class Delta(Struct, frozen=True):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[CallPart, ...] | None = None

    @property
    def thought(self) -> str | None:
        return self.reasoning_content or self.reasoning


class Choice(Struct, frozen=True):
    delta: Delta | None = None
    finish_reason: str | None = None


class Usage(Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> Tokens:
        return Tokens(self.prompt_tokens, self.completion_tokens)


class Problem(Struct, frozen=True):
    message: str = "An error occurred during streaming"


class Progress(Struct, frozen=True, rename={"call_id": "toolCallId"}):
    """The payload of `hermes.tool.progress`."""

    tool: str
    call_id: str
    status: str
    emoji: str = ""
    label: str = ""
    outcome: str = "ok"

    def draw(self, canvas: Canvas) -> None:
        title = f"{self.emoji} {self.label or self.tool}".strip()
        state = RUNNING if self.status == RUNNING else self.outcome
        canvas.card(self.call_id, title, state)


class StatusData(Struct, frozen=True):
    description: str = ""
    done: bool = False


class Status(Struct, frozen=True):
    type: str = ""
    data: StatusData = StatusData()


class Chunk(Struct, frozen=True, rename={"progress": "hermes.tool.progress"}):
    choices: tuple[Choice, ...] | None = None
    usage: Usage | None = None
    error: Problem | str | None = None
    event: Status | None = None
    progress: Progress | None = None

    @property
    def complaint(self) -> str:
        """What is wrong, if the chunk is an error."""
        return self.error.message if isinstance(self.error, Problem) else self.error or ""


def draw_calls(canvas: Canvas, delta: Delta) -> None:
    for position, call in enumerate(delta.tool_calls or ()):
        index = position if call.index is None else call.index
        canvas.errand(index, call.function.name or "", call.function.arguments or "")


def draw(canvas: Canvas, chunk: Chunk) -> None:
    """All that stands in a chunk, for clients that leave nothing out of it."""
    if chunk.usage is not None:
        canvas.tokens = chunk.usage.tokens
    if not chunk.choices:
        return
    choice = chunk.choices[0]
    canvas.finish = choice.finish_reason or canvas.finish
    if choice.delta is None:
        return
    canvas.think(choice.delta.thought or "")
    canvas.say(choice.delta.content or "")
    draw_calls(canvas, choice.delta)
