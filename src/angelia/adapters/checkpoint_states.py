"""What may be at a place in a workspace, as checkpoints compare and keep it."""

from hashlib import sha256
from typing import Literal

from msgspec import Struct

Kind = Literal["absent", "file", "link", "folder", "other"]


class State(Struct, frozen=True, omit_defaults=True):
    """`digest` is that of the content, or of where a link leads to.

    Of what is too large to be kept, it stands for size and time. A `mode` of 0 is any.
    """

    kind: Kind
    digest: str = ""
    mode: int = 0
    kept: bool = True

    def is_now(self, now: "State") -> bool:
        """Whether what is there now is what is meant here."""
        modes = self.mode in (0, now.mode) or now.mode == 0
        return self.kind == now.kind and self.digest == now.digest and modes


ABSENT = State("absent")
OTHER = State("other")


class Found(Struct, frozen=True):
    """A state, and what must be kept to bring it back."""

    state: State
    data: bytes = b""


class Scan(Struct, frozen=True):
    """All that is in a workspace. One that is not `complete` says nothing of what it lacks."""

    states: dict[str, State]
    complete: bool = True
    notes: tuple[str, ...] = ()


class Step(Struct, frozen=True):
    """What a run did to one place; an `after` of None is something that nobody saw."""

    place: str
    before: State
    after: State | None
    call_id: str = ""


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()
