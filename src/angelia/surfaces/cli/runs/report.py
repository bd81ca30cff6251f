"""Runs as people read them in a terminal."""

from collections.abc import Sequence

from angelia.core.approval_text import visible
from angelia.surfaces.cli.amounts import money
from angelia.surfaces.cli.moments import ago, moment, span
from angelia.surfaces.cli.paper import Column
from angelia.surfaces.cli.runs.timeline import Moment
from angelia.surfaces.cli.server import Run

COLUMNS = (
    Column("run", head=True),
    Column("status", head=True),
    Column("model"),
    Column("when"),
    Column("asked", stretch=True),
)
ENDED = ("completed", "failed", "cancelled")
_LONGEST = 100


def row(run: Run, now: float | None) -> tuple[str, ...]:
    """`now` is None for whoever wants moments instead of how long ago they were."""
    when = moment(run.created_at) if now is None else ago(run.created_at, now)
    return run.run_id, run.status, run.model, when, short(run.question)


def details(run: Run, moments: Sequence[Moment]) -> list[tuple[str, str]]:
    took = span(run.updated_at - run.created_at)
    begun = moment(run.created_at)
    return [
        ("run", run.run_id),
        ("status", run.status.replace("_", " ")),
        ("model", run.model),
        ("session", run.session_id),
        ("surface", run.surface),
        ("user", run.user or ""),
        ("begun by", "" if run.delegated_by is None else run.delegated_by.run_id),
        ("started", f"{begun}, took {took}" if run.status in ENDED else begun),
        ("asked", run.question),
        ("happened", "\n".join(map(_line, moments))),
        ("waits", "\n".join(_waits(run))),
        ("tokens", f"{run.usage.input_tokens:,} in, {run.usage.output_tokens:,} out"),
        ("cost", money(run.cost)),
        ("error", "" if run.error is None else f"{run.error.message} ({run.error.code})"),
        ("answer", run.output),
    ]


def _line(one: Moment) -> str:
    what = f"{one.at:.2f} s  {one.emoji or '·'} {short(one.what)}"
    if one.tool_call_id is None:
        return what
    if one.outcome is None:
        return f"{what} …"
    ended = f"{what} → {one.outcome}, {span(one.duration or 0.0)}"
    return f"{ended}\n  {short(one.output)}" if one.output else ended


def _waits(run: Run) -> list[str]:
    return [
        f"{one.tool}: {short(visible(one.preview))} (angelia approve --code {one.code})"
        for one in run.pending_approvals
    ]


def short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
