"""Where commands run: kept apart from this machine as far as it allows."""

from typing import Literal, Protocol

from msgspec import Struct

Stream = Literal["stdout", "stderr"]


class Screen(Struct, frozen=True):
    """A terminal for programs that want one."""

    columns: int = 120
    rows: int = 40


class Command(Struct, frozen=True):
    """A line for bash, in a `folder` that is relative to the workspace.

    Commands of one `session` reach each other over loopback and share their temporary files;
    nobody else's do. Without `input` there is nothing to read. With a `screen` both streams are
    one.
    """

    line: str
    folder: str = "."
    session: str = ""
    input: bool = False
    screen: Screen | None = None


class Exit(Struct, frozen=True):
    """How a command ended; death by a signal counts from 128.

    `folder` is where its shell was at the end, relative to the workspace, if that is known and
    inside. `limit` names the bound that it was ended for, in words for the model.
    """

    code: int
    folder: str | None = None
    limit: str | None = None


class Process(Protocol):
    """A command under way."""

    async def next(self) -> tuple[bytes, Stream] | None:
        """The next piece of output; None when no more will come.

        Output waits for its reader: a process that prints more than a little must wait too.
        """
        ...

    async def write(self, data: bytes) -> None:
        """Raises ToolError when the process reads nothing any more."""
        ...

    async def wait(self) -> Exit:
        """May be called any number of times, before and after the end."""
        ...

    async def kill(self) -> None:
        """Returns when all that the command started is dead. The dead are not minded."""
        ...


class Sandbox(Protocol):
    @property
    def level(self) -> str:
        """How far commands are kept apart from this machine, in a word."""
        ...

    @property
    def reason(self) -> str:
        """Why no command can run, for people; empty where commands do run."""
        ...

    async def start(self, command: Command) -> Process:
        """Raises ToolError if the command cannot be started. Cancelled, nothing is left behind."""
        ...

    async def leave(self, session: str) -> None:
        """Nothing more will run in the session: whatever was kept for it is given back."""
        ...

    async def close(self) -> None:
        """Ends everything that still runs."""
        ...
