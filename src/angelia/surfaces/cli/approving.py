"""What waits for a person at the server that runs here: listed, answered, granted for longer."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from angelia.core.approval_text import visible
from angelia.errors import RequestError
from angelia.surfaces.cli.remote import Remote
from angelia.wire.grants.shapes import GrantListOut, GrantOut

_MOST = 100


class Waiting(Struct, frozen=True):
    """A call that a person is asked about, as the run API shows it."""

    approval_id: str
    tool: str
    preview: str = ""
    code: str | None = None
    expires_at: float | None = None
    reason: str = ""


class Run(Struct, frozen=True):
    run_id: str
    pending_approvals: tuple[Waiting, ...] = ()


class Page(Struct, frozen=True):
    data: tuple[Run, ...]
    has_more: bool = False


class Answer(Struct, frozen=True, omit_defaults=True):
    choice: str
    approval_id: str | None = None
    code: str | None = None
    reason: str | None = None


class Status(Struct, frozen=True):
    status: str


async def pending(remote: Remote) -> list[Run]:
    """The newest first."""
    found: list[Run] = []
    after = ""
    while True:
        path = f"/v1/runs?status=waiting_for_approval&limit={_MOST}{after}"
        page = msgspec.json.decode(await remote.ask("GET", path), type=Page)
        found += page.data
        if not page.has_more:
            return found
        after = f"&after={page.data[-1].run_id}"


async def answer(remote: Remote, run_id: str | None, wanted: Answer) -> str:
    """What became of it, in a line. Without a run the code says which one."""
    run_id = run_id or _with_code(await pending(remote), wanted.code or "")
    told = await remote.ask("POST", f"/v1/runs/{run_id}/approval", wanted)
    status = msgspec.json.decode(told, type=Status).status
    return f"{run_id}: {'denied' if wanted.choice == 'deny' else 'approved'}; it is {status} now"


def _with_code(runs: Sequence[Run], code: str) -> str:
    found = [
        run.run_id
        for run in runs
        if any((one.code or "").upper() == code.upper() for one in run.pending_approvals)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise RequestError(f"Several runs ask with the code {code}; name one: {', '.join(found)}.")
    raise RequestError(f"Nothing with the code {code} is pending.")


def listed(runs: Sequence[Run]) -> str:
    lines = [line for run in runs for line in _lines(run)]
    return "\n".join(lines) or "nothing waits for an approval"


def _lines(run: Run) -> list[str]:
    lines: list[str] = []
    for one in run.pending_approvals:
        shown = visible(one.preview).replace("\n", "\\n")
        lines.append(f"{run.run_id}  {one.code or one.approval_id}  {one.tool}: {shown}")
        until = f" Until {_moment(one.expires_at)}." if one.expires_at is not None else ""
        lines.append(f"    {one.reason}{until}")
        lines.append(f"    angelia approve {run.run_id} --code {one.code}")
    return lines


async def grants(remote: Remote, revoke: str | None) -> str:
    if revoke is not None:
        await remote.ask("DELETE", f"/api/grants/{revoke}")
        return f"{revoke} is revoked; it does not hold from the next run on"
    found = msgspec.json.decode(await remote.ask("GET", "/api/grants"), type=GrantListOut)
    return "\n".join(map(_grant, found.data)) or "nothing is granted"


def _grant(grant: GrantOut) -> str:
    where = f"in session {grant.session_id}" if grant.session_id else "always"
    whom = f" for {grant.user}" if grant.user else ""
    return f"{grant.id}  {grant.what}  {where}{whom}, since {_moment(grant.created_at)}"


def _moment(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
