"""Where skills are kept, and what can be had of them."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from angelia.core.skills import Skill, SkillSource
from angelia.ports.tools import Listed


class SkillEntry(Struct, frozen=True):
    """A folder with a SKILL.md in it; `stamp` is another one when that file has changed."""

    folder: str
    stamp: str


class SkillFolder(Protocol):
    """A place with skills in it. Paths are relative to it; one that leads out is a ToolError."""

    @property
    def source(self) -> SkillSource: ...

    @property
    def place(self) -> str:
        """Where it is on this machine."""
        ...

    async def find(self) -> Sequence[SkillEntry]:
        """By name of the folder; where two places have one of a name, the first place first."""
        ...

    async def read(self, path: str) -> bytes: ...

    async def files(self, folder: str) -> Sequence[Listed]: ...


class Fault(Struct, frozen=True):
    """A skill that cannot be used, and why."""

    source: SkillSource
    folder: str
    reason: str


class Shelf(Struct, frozen=True):
    skills: tuple[Skill, ...]
    faults: tuple[Fault, ...] = ()


class Loaded(Struct, frozen=True):
    """`place` is the skill's folder on this machine; `files` are relative to the folder."""

    skill: Skill
    body: str
    place: str
    files: tuple[Listed, ...]


class SkillLibrary(Protocol):
    async def shelf(self) -> Shelf:
        """What there is at this moment."""
        ...

    async def load(self, name: str) -> Loaded:
        """Raises ToolError, which names those there are."""
        ...

    async def read(self, name: str, file: str) -> bytes:
        """A file in the skill's folder. Raises ToolError."""
        ...
