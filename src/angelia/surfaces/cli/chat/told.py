"""What slash commands come to, as Markdown."""

import re
from collections.abc import Sequence

from angelia.surfaces.cli.amounts import money, tokens
from angelia.surfaces.cli.moments import ago
from angelia.surfaces.cli.screen import harmless
from angelia.surfaces.cli.server import Run, Tool
from angelia.wire.discovery import Model
from angelia.wire.keys.shapes import AmountsOut
from angelia.wire.memory.shapes import NoteOut
from angelia.wire.runs.shapes import UndoneOut
from angelia.wire.sessions.shapes import HitOut, SessionOut

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_LONGEST = 80


def plain(text: str) -> str:
    """A line of somebody's text that Markdown leaves as it is."""
    line = " ".join(harmless(text).split())
    line = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return _SPECIAL.sub(r"\\\1", line)


def sessions(found: Sequence[SessionOut], here: str | None, now: float) -> str:
    if not found:
        return "There are no sessions yet."
    lines = [f"{n}. {_session(one, here, now)}" for n, one in enumerate(found, 1)]
    return "\n".join([*lines, "", "`/resume 1` goes on in the first."])


def _session(session: SessionOut, here: str | None, now: float) -> str:
    turns = f"{session.runs} {'run' if session.runs == 1 else 'runs'}"
    state = "" if session.status == "idle" else f" · {session.status.replace('_', ' ')}"
    mark = " · **here**" if session.id == here else ""
    title = plain(session.title) or "(without a title)"
    return f"**{title}** · `{session.id}` · {turns}, {ago(session.updated_at, now)}{state}{mark}"


def hits(found: Sequence[HitOut], words: str, now: float) -> str:
    if not found:
        return f"Nothing was said with “{plain(words)}” in it."
    lines = [
        f"{n}. **{plain(hit.session.title)}** · `{hit.session.id}` · {ago(hit.at, now)}\n"
        f"   {plain(hit.snippet)}"
        for n, hit in enumerate(found, 1)
    ]
    return "\n".join([*lines, "", "`/resume 1` goes on in the first."])


def models(found: Sequence[Model], chosen: str | None) -> str:
    lines = [
        f"- `{one.id}`{' · **chosen**' if one.id == chosen else ''}"
        f"{' · what is asked unless you choose' if not n else ''}"
        for n, one in enumerate(found)
    ]
    return "\n".join([*lines, "", "`/model NAME` chooses one for this chat."])


def tools(found: Sequence[Tool]) -> str:
    if not found:
        return "There are no tools."
    lines: list[str] = []
    for toolset in sorted({tool.toolset for tool in found}):
        lines += [f"**{plain(toolset)}**", ""]
        lines += [_tool(tool) for tool in found if tool.toolset == toolset]
        lines.append("")
    return "\n".join(lines).rstrip()


def _tool(tool: Tool) -> str:
    off = "" if tool.enabled else " (off)"
    return f"- {tool.emoji} `{tool.name}`{off}: {plain(first_sentence(tool.description))}"


def first_sentence(text: str) -> str:
    line = " ".join(text.split())
    return re.split(r"(?<=[.!?:;])\s", line, maxsplit=1)[0]


def tool(found: Tool) -> str:
    off = "" if found.enabled else " It is switched off."
    about = " ".join(harmless(found.description).split())
    return (
        f"{found.emoji} `{found.name}` (toolset `{found.toolset}`, {found.effect}).{off}\n\n{about}"
    )


def notes(found: Sequence[NoteOut]) -> str:
    if not found:
        return "There are no notes. `/memory add TEXT` makes one."
    return "\n".join(f"- `{note.id}` {plain(note.text)}" for note in found)


def usage(of_session: Sequence[Run] | None, today: AmountsOut) -> str:
    lines: list[str] = []
    if of_session is not None:
        used = sum(run.usage.total_tokens for run in of_session)
        cost = sum(run.cost for run in of_session)
        lines.append(f"- this session: {_spent(len(of_session), used, cost)}")
    lines.append(f"- today (UTC): {_spent(today.runs, today.total_tokens, today.cost)}")
    return "\n".join(lines)


def _spent(runs: int, used: int, cost: float) -> str:
    return f"{runs} {'run' if runs == 1 else 'runs'}, {tokens(used)}, cost {money(cost)}"


def undone(answer: UndoneOut) -> str:
    would = "would be " if answer.dry_run else ""
    lines = [f"- {would}restored: `{path}`" for path in answer.restored]
    lines += [f"- {would}removed: `{path}`" for path in answer.removed]
    lines += [f"- left alone: `{one.path}`, {plain(one.reason)}" for one in answer.conflicts]
    lines += [f"- {plain(note)}" for note in answer.notes]
    return "\n".join(lines)
