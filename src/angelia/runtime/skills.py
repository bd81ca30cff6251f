"""The skills that there are at this moment: found, read when they change, told to runs."""

import logging
import posixpath
from collections.abc import Sequence
from difflib import get_close_matches

from msgspec import Struct

from angelia.core.redact import SHAPES_ONLY, Redactor
from angelia.core.skills import FILE, BrokenHead, Head, Skill, parse, told
from angelia.errors import ToolError
from angelia.ports import Caller, Listed
from angelia.ports.skills import Fault, Loaded, Shelf, SkillEntry, SkillFolder

LONGEST_FILE = 256 * 1024
# What is put in the prompt of every run must have an end.
MOST_SKILLS = 500

logger = logging.getLogger(__name__)


class _Kept(Struct, frozen=True):
    """A skill as it was read; `head` is the reason where it could not be."""

    stamp: str
    head: Head | str


class Skills:
    """Of two skills with one name, the one in the earlier folder is used."""

    def __init__(self, folders: Sequence[SkillFolder], redact: Redactor = SHAPES_ONLY) -> None:
        self._folders = folders
        self._redact = redact
        self._kept: dict[tuple[int, str], _Kept] = {}

    async def shelf(self) -> Shelf:
        skills: dict[str, Skill] = {}
        faults: list[Fault] = []
        for folder, entry, head in await self._heads():
            if isinstance(head, str):
                faults.append(Fault(folder.source, entry.folder, head))
            elif head.name.casefold() in skills:
                first = skills[head.name.casefold()]
                reason = f"the name {head.name!r} is taken by {first.folder} ({first.source})"
                faults.append(Fault(folder.source, entry.folder, reason))
            else:
                found = Skill(head.name, head.description, folder.source, entry.folder)
                skills[head.name.casefold()] = found
        return Shelf(tuple(sorted(skills.values(), key=lambda one: one.name)), tuple(faults))

    async def text(self, caller: Caller) -> str:
        """What a run is told that begins now."""
        return self._redact(told((await self.shelf()).skills))

    async def load(self, name: str) -> Loaded:
        skill, folder = await self._found(name)
        head = await self._read(folder, skill.folder)
        if isinstance(head, str):
            raise ToolError(f"The skill {skill.name!r} cannot be read: {head}.")
        files = tuple(_beside(skill.folder, await folder.files(skill.folder)))
        place = skill.folder if folder.source == "workspace" else f"{folder.place}/{skill.folder}"
        return Loaded(skill, head.body, place, files)

    async def read(self, name: str, file: str) -> bytes:
        skill, folder = await self._found(name)
        path = posixpath.normpath(file)
        if path.startswith("/") or path.split("/")[0] == "..":
            raise ToolError(f"{file!r} leads out of the skill's folder; use a path inside it.")
        return await folder.read(f"{skill.folder}/{path}")

    async def _found(self, name: str) -> tuple[Skill, SkillFolder]:
        skills = (await self.shelf()).skills
        for skill in skills:
            if skill.name.casefold() == name.strip().casefold():
                return skill, next(one for one in self._folders if one.source == skill.source)
        names = [skill.name for skill in skills]
        near = get_close_matches(name[:64], names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        known = ", ".join(names[:50]) or "none"
        raise ToolError(f"There is no skill {name[:64]!r}.{hint} There are: {known}.")

    # ── what is on disk ─────────────────────────────────────────────────────────────────

    async def _heads(self) -> list[tuple[SkillFolder, SkillEntry, Head | str]]:
        found = [
            (number, folder, entry)
            for number, folder in enumerate(self._folders)
            for entry in await folder.find()
        ][:MOST_SKILLS]
        known: dict[tuple[int, str], _Kept] = {}
        for number, folder, entry in found:
            place = (number, entry.folder)
            kept = self._kept.get(place)
            if kept is None or kept.stamp != entry.stamp:
                kept = _Kept(entry.stamp, await self._looked_at(folder, entry.folder))
            known[place] = kept
        self._kept = known
        return [(folder, entry, known[n, entry.folder].head) for n, folder, entry in found]

    async def _looked_at(self, folder: SkillFolder, path: str) -> Head | str:
        head = await self._read(folder, path)
        if isinstance(head, str):
            logger.warning("skill %s (%s) is left out: %s", path, folder.source, head)
        return head

    async def _read(self, folder: SkillFolder, path: str) -> Head | str:
        try:
            data = await folder.read(f"{path}/{FILE}")
            if len(data) > LONGEST_FILE:
                return f"{FILE} is larger than {LONGEST_FILE:,} bytes"
            return parse(data.decode())
        except UnicodeDecodeError:
            return f"{FILE} is not UTF-8 text"
        except (BrokenHead, ToolError) as error:
            return str(error)


def _beside(folder: str, entries: Sequence[Listed]) -> list[Listed]:
    """The files besides the instructions, by their path in the skill's folder."""
    return [
        Listed(entry.path.removeprefix(f"{folder}/"), entry.kind, entry.size)
        for entry in entries
        if entry.kind == "file" and entry.path != f"{folder}/{FILE}"
    ]
