"""What a model may do, and where it is done."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from angelia.core.events import Outcome
from angelia.core.messages import ToolSpec

Stream = Literal["stdout", "stderr"]


class ToolOutput(Struct, frozen=True):
    """What a call came to. `text` is the whole of it; cutting it to size is not the tool's job."""

    text: str
    outcome: Outcome = "ok"


class ToolContext(Protocol):
    """What a tool may know of the run that calls it."""

    @property
    def run_id(self) -> str: ...

    @property
    def call_id(self) -> str: ...

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        """Live output for whoever watches; the model reads only what the tool returns."""
        ...


class Tool(Protocol):
    """Raises ToolError for what the model can correct."""

    @property
    def spec(self) -> ToolSpec: ...

    @property
    def emoji(self) -> str: ...

    def label(self, arguments: str) -> str:
        """One line for people. Never raises, whatever the arguments are."""
        ...

    def lane(self, arguments: str) -> str | None:
        """What the call touches; calls that touch the same thing keep their order."""
        ...

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput: ...


Sink = Callable[[bytes, Stream], Coroutine[Any, Any, None]]


class Sandbox(Protocol):
    """Where commands run."""

    @property
    def level(self) -> str:
        """How far commands are kept apart from this machine, in a word."""
        ...

    async def run(self, command: str, output: Sink) -> int:
        """The exit code. Cancelled, it returns only when all that the command started is dead."""
        ...


class Listed(Struct, frozen=True):
    """One line of a folder listing; `path` is relative to the workspace."""

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int


class Workspace(Protocol):
    """The files that tools may see. Paths are relative to it; one that leads out is a ToolError."""

    async def read(self, path: str) -> bytes: ...

    async def write(self, path: str, data: bytes) -> None:
        """Whole or not at all; makes the folders on the way."""
        ...

    async def list(self, path: str, depth: int = 1) -> Sequence[Listed]: ...


class OutputStore(Protocol):
    """Whole outputs of tool calls that are too long for the log."""

    async def put(self, run_id: str, call_id: str, data: bytes) -> None: ...

    async def get(self, run_id: str, call_id: str, start: int, length: int) -> bytes | None:
        """None if there is no such output."""
        ...

    async def delete(self, run_id: str) -> None: ...
