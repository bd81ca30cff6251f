"""What a model may do, and where it is done."""

from collections.abc import AsyncGenerator, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from angelia.core.events import Outcome, SubagentCompleted, SubagentStarted
from angelia.core.messages import ToolSpec
from angelia.core.policy import Touched
from angelia.ports.sandbox import Stream


class ToolOutput(Struct, frozen=True):
    """What a call came to. `text` is the whole of it; cutting it to size is not the tool's job.

    `sandbox` is how far what ran was kept apart from the machine, where anything ran.
    """

    text: str
    outcome: Outcome = "ok"
    sandbox: str = ""


class Caller(Struct, frozen=True):
    """On whose behalf a call is made: a key, and within it a user and a conversation.

    `model` is the agent that answers; `depth` is how many runs have delegated to each other.
    `session_key` is the scope of memory that a client names.
    """

    tenant: str
    session_id: str = ""
    user: str | None = None
    model: str = ""
    depth: int = 0
    session_key: str | None = None


class ToolContext(Protocol):
    """What a tool may know of the run that calls it."""

    @property
    def run_id(self) -> str: ...

    @property
    def call_id(self) -> str: ...

    @property
    def caller(self) -> Caller: ...

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        """Live output for whoever watches; the model reads only what the tool returns."""
        ...

    async def tell(self, event: SubagentStarted | SubagentCompleted) -> None:
        """News of a run that this call has begun."""
        ...


class Tool(Protocol):
    """Raises ToolError for what the model can correct."""

    @property
    def spec(self) -> ToolSpec: ...

    @property
    def emoji(self) -> str: ...

    @property
    def toolset(self) -> str:
        """The name under which it can be asked for together with others of its kind."""
        ...

    def label(self, arguments: str) -> str:
        """One line for people. Never raises, whatever the arguments are."""
        ...

    def lane(self, arguments: str) -> str | None:
        """What the call touches; calls that touch the same thing keep their order.

        Several things have `core.state.BETWEEN_LANES` between them.
        """
        ...

    def touched(self, arguments: str) -> Touched:
        """What the policy is to know of a call. Never raises, whatever the arguments are."""
        ...

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput: ...


class ToolSource(Protocol):
    """Tools that come and go, such as those of another server."""

    async def tools(self) -> Sequence[Tool]:
        """Those that can be offered at this moment. Never raises, and never waits for long."""
        ...


class Listed(Struct, frozen=True):
    """One line of a folder listing; `path` is relative to the workspace."""

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int


class Workspace(Protocol):
    """The files that tools may see. Paths are relative to it; one that leads out is a ToolError."""

    async def read(self, path: str) -> bytes:
        """The whole of a file that is not too large for that."""
        ...

    def pieces(self, path: str) -> AsyncGenerator[bytes]:
        """A file of any size, from its beginning on, as far as it is wanted."""
        ...

    async def write(self, path: str, data: bytes) -> None:
        """Whole or not at all; makes the folders on the way."""
        ...

    async def remove(self, path: str) -> None:
        """Of files only."""
        ...

    async def place(self, path: str) -> str:
        """The one spelling, without any links on the way, of the place that a path leads to."""
        ...

    async def list(self, path: str, depth: int = 1) -> Sequence[Listed]: ...


class OutputStore(Protocol):
    """Whole outputs of tool calls that are too long for the log."""

    async def put(self, run_id: str, call_id: str, data: bytes) -> None: ...

    async def get(self, run_id: str, call_id: str, start: int, length: int) -> bytes | None:
        """None if there is no such output."""
        ...

    async def delete(self, run_id: str) -> None: ...
