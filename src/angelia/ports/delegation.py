"""Runs that a run has others do a part of its work in."""

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from msgspec import Struct

from angelia.core.state import Status

Show = Callable[[str], Coroutine[Any, Any, None]]


class Task(Struct, frozen=True):
    """One part of the work of the run `run_id`, the `number`th of its call `call_id`.

    `toolsets` are all that it may use of the tools that the run itself has; None are all.
    """

    run_id: str
    call_id: str
    number: int
    goal: str
    context: str = ""
    toolsets: tuple[str, ...] | None = None


class Deed(Struct, frozen=True):
    """What became of a task."""

    status: Status
    output: str
    error: str = ""
    seconds: float = 0.0


class Delegation(Protocol):
    async def begin(self, task: Task) -> str:
        """The id of the run that does the task: the same one however often it is begun.

        Raises ToolError for what cannot be delegated.
        """
        ...

    async def deed(self, child: str, show: Show) -> Deed:
        """Returns when the run has ended; shows what it does meanwhile."""
        ...

    async def forsake(self, task: Task, child: str) -> None:
        """The call is cut short: the child ends with the run, or waits for it to come back.

        Returns when it has really ended, or after a while.
        """
        ...
