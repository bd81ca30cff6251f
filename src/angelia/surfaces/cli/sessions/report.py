"""Sessions as people read them in a terminal."""

from collections.abc import Iterator
from typing import assert_never

from angelia.surfaces.cli.moments import ago, moment
from angelia.surfaces.cli.paper import Column
from angelia.wire.sessions.shapes import (
    AssistantOut,
    HitOut,
    ImageOut,
    MessageOut,
    SessionOut,
    SystemOut,
    TextOut,
    ToolOut,
    UserOut,
)

COLUMNS = (
    Column("session", head=True),
    Column("status"),
    Column("runs"),
    Column("changed"),
    Column("title", stretch=True),
)
HITS = (
    Column("session", head=True),
    Column("when"),
    Column("who"),
    Column("said", stretch=True),
)
_LONGEST = 200
Line = tuple[str, str]


def row(session: SessionOut, now: float | None) -> tuple[str, ...]:
    """`now` is None for whoever wants moments instead of how long ago they were."""
    changed = moment(session.updated_at) if now is None else ago(session.updated_at, now)
    runs = f"{session.runs} {'run' if session.runs == 1 else 'runs'}"
    return session.id, session.status, runs, changed, session.title


def hit_row(hit: HitOut, now: float | None) -> tuple[str, ...]:
    when = moment(hit.at) if now is None else ago(hit.at, now)
    return hit.session.id, when, hit.role, hit.snippet


def details(session: SessionOut) -> list[tuple[str, str]]:
    return [
        ("session", session.id),
        ("title", session.title),
        ("status", session.status.replace("_", " ")),
        ("runs", str(session.runs)),
        ("begun", moment(session.created_at)),
        ("changed", moment(session.updated_at)),
        ("user", session.user or ""),
        ("key", session.key or ""),
        ("forked from", session.forked_from or ""),
        ("last run", session.last_run_id or ""),
    ]


def said(message: MessageOut) -> Iterator[Line]:
    """Lines of a message, each with its look."""
    match message:
        case UserOut(content=content):
            yield "", ""
            yield f"> {_text(content)}", "bold"
        case AssistantOut():
            for call in message.tool_calls or ():
                yield f"  · {call.name} {_short(call.arguments)}", "dim"
            if text := message.content or message.refusal:
                yield "", ""
                yield text, ""
        case ToolOut(content=content, failed=failed):
            yield f"    {'failed: ' if failed else ''}{_short(content)}", "dim"
        case SystemOut(content=content):
            yield f"  {_short(content)}", "dim"
        case _:
            assert_never(message)


def _text(content: str | list[TextOut | ImageOut]) -> str:
    if isinstance(content, str):
        return content
    return " ".join(part.text if isinstance(part, TextOut) else "[image]" for part in content)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
