"""What runs have changed in the workspace, kept so that it can be brought back."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

ChangeKind = Literal["created", "changed", "deleted"]
# Whether a change is still there, taken back, or covered by what somebody did since.
Standing = Literal["there", "undone", "conflict"]


class Edit(Struct, frozen=True):
    """A file as it is about to be; without data it is removed."""

    path: str
    data: bytes | None


class Change(Struct, frozen=True):
    """What a run has made of one file. `diff` is empty where there are no lines to show."""

    path: str
    kind: ChangeKind
    standing: Standing
    diff: str = ""
    note: str = ""


class Changes(Struct, frozen=True):
    """`notes` say what was not kept, and so cannot be brought back."""

    files: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()


class LeftAlone(Struct, frozen=True):
    path: str
    reason: str


class Undone(Struct, frozen=True):
    """Files that have their content of before again, that are gone, and that were left alone."""

    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: tuple[LeftAlone, ...] = ()
    notes: tuple[str, ...] = ()


class ChangeJournal(Protocol):
    """Who changes files tells it before, in the name of a run; durable once it returns."""

    async def before_edits(self, run_id: str, call_id: str, edits: Sequence[Edit]) -> None:
        """What is there now is kept, unless the run has touched it before."""
        ...

    async def announced(self, run_id: str, call_id: str) -> Sequence[Edit]:
        """What the call had in mind when it was begun before; nothing if it was not."""
        ...

    async def before_command(self, run_id: str) -> None:
        """Something is about to run that may change any file."""
        ...

    async def after_command(self, run_id: str) -> None:
        """It has run, to whatever end. What is different now is the run's doing."""
        ...


class Checkpoints(Protocol):
    async def changes(self, run_id: str) -> Changes: ...

    async def undo(
        self, run_id: str, *, force: bool = False, redo: bool = False, dry_run: bool = False
    ) -> Undone:
        """Brings back what was there before the run; done twice it is the same as once.

        A file that is not as the run has left it is left alone, unless forced. `redo` brings back
        what an undo took away. A dry run only says what would be done.
        """
        ...

    async def delete(self, run_id: str) -> None: ...
