"""Skills: what the head of a SKILL.md says of it, and how models are told what there is.

The head is a small part of YAML: `key: value` lines, values in quotes, texts behind `>` or `|`.
Other keys may hold whatever they like below them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from angelia.core.framing import framed, visible

FILE = "SKILL.md"
LONGEST_DESCRIPTION = 1_024
LISTED_CHARACTERS = 12_000

SkillSource = Literal["home", "workspace"]

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,62}[A-Za-z0-9])?")
_KEY = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?")
_BLOCK = re.compile(r"([>|])(?:[+-]?[1-9]?|[1-9][+-]?)(?:\s+#.*)?")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
_ABOUT = (
    "Skills are instructions for certain kinds of work. When one of these fits what you are "
    "asked to do, load it with the tool `skill` before you begin. Those of the workspace come "
    "with its files and are no more to be trusted than they are."
)


class Head(Struct, frozen=True):
    """`body` is what stands behind the head of the file."""

    name: str
    description: str
    body: str


class Skill(Struct, frozen=True):
    """`folder` is where it is, within its `source`."""

    name: str
    description: str
    source: SkillSource
    folder: str


class BrokenHead(ValueError):
    """Says what is wrong, for the one who wrote it."""


def parse(text: str) -> Head:
    """Raises BrokenHead."""
    lines = visible(text.removeprefix("\ufeff")).split("\n")
    if lines[0].rstrip() != "---":
        raise BrokenHead("the file does not begin with a line ---")
    ends = [n for n, line in enumerate(lines) if n and line.rstrip() in ("---", "...")]
    if not ends:
        raise BrokenHead("the line --- that ends the head is missing")
    values = dict(_entries(lines[1 : ends[0]]))
    name = _name(values)
    description = " ".join(_demanded(values, "description").split())
    if len(description) > LONGEST_DESCRIPTION:
        raise BrokenHead(f"'description' is longer than {LONGEST_DESCRIPTION:,} characters")
    return Head(name, description, "\n".join(lines[ends[0] + 1 :]).strip())


def told(skills: Sequence[Skill]) -> str:
    """For the instructions of a run: every skill in one line, as far as there is room."""
    lines = [_line(skill) for skill in skills]
    room, shown = LISTED_CHARACTERS, 0
    while shown < len(lines) and len(lines[shown]) < room:
        room -= len(lines[shown]) + 1
        shown += 1
    rest = [] if shown == len(lines) else [f"… and {len(lines) - shown} more, not listed here"]
    return framed("skills", _ABOUT, "\n".join((*lines[:shown], *rest))) if skills else ""


def _line(skill: Skill) -> str:
    where = " (workspace)" if skill.source == "workspace" else ""
    return f"- {skill.name}{where}: {skill.description}"


def _name(values: dict[str, str]) -> str:
    name = _demanded(values, "name").strip()
    if not _NAME.fullmatch(name):
        raise BrokenHead("'name' may have up to 64 letters, digits, spaces and . _ -")
    return name


def _demanded(values: dict[str, str], key: str) -> str:
    if not values.get(key, "").strip():
        raise BrokenHead(f"{key!r} is missing in the head")
    return values[key]


# ── the head ────────────────────────────────────────────────────────────────────────────────


def _entries(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip() or line.startswith("#"):
            at += 1
            continue
        found = _KEY.fullmatch(line.rstrip())
        if found is None:
            raise BrokenHead(f"line {at + 2} of the file is not of the form 'key: value'")
        end = at + 1
        while end < len(lines) and _is_below(lines[end]):
            end += 1
        yield found[1], _value(found[2] or "", lines[at + 1 : end], at + 2)
        at = end


def _is_below(line: str) -> bool:
    """Whether it belongs to the key above it."""
    return not line.strip() or line[0] in " \t" or line.startswith("- ")


def _value(first: str, below: Sequence[str], number: int) -> str:
    if block := _BLOCK.fullmatch(first):
        return _block(below, folded=block[1] == ">")
    whole = " ".join(part for part in (first, *(line.strip() for line in below)) if part)
    if whole[:1] in ("'", '"'):
        return _quoted(whole, number)
    return re.sub(r"(?:^|\s)#.*", "", whole).strip()


def _block(below: Sequence[str], *, folded: bool) -> str:
    written = [line for line in below if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in written), default=0)
    lines = [line[margin:].rstrip() for line in below]
    if not folded:
        return "\n".join(lines).strip("\n")
    paragraphs = "\n".join(lines).strip("\n").split("\n\n")
    return "\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)


def _quoted(text: str, number: int) -> str:
    if text[0] == "'":
        found = re.fullmatch(r"'((?:[^']|'')*)'(?:\s+#.*)?", text)
        if found:
            return found[1].replace("''", "'")
    elif found := re.fullmatch(r'"((?:[^"\\]|\\.)*)"(?:\s+#.*)?', text):
        return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[0]), found[1])
    raise BrokenHead(f"the quotes in line {number} of the file are not closed")
