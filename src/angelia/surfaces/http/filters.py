"""Which runs a list asks for: the query of GET /v1/runs."""

import re
from typing import TypeGuard, get_args

from starlette.requests import Request

from angelia.core.state import Status
from angelia.errors import BadRequest
from angelia.ports import ApiKey, RunFilter
from angelia.surfaces.http.requests import flag, shortened, whole_number

STATUSES: tuple[Status, ...] = get_args(Status)
MOST = 100
# In seconds: far beyond any date, and whoever sends milliseconds is told.
LATEST = 10**12
# What JSON calls a number, without a sign.
_SECONDS = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?")


def run_filter(request: Request, key: ApiKey) -> RunFilter:
    """What the page and the one behind it are made of; BadRequest names what it cannot read."""
    query = request.query_params
    return RunFilter(
        tenant=key.id,
        session_id=query.get("session_id"),
        statuses=_statuses(query.get("status")),
        before=query.get("after"),
        limit=whole_number(query.get("limit", "20"), "limit", most=MOST),
        seeds=False,
        model=query.get("model"),
        surface=query.get("surface"),
        words=query.get("q"),
        since=_seconds(request, "since"),
        until=_seconds(request, "until"),
        delegated=flag(request, "delegated", usual=True),
    )


def _statuses(text: str | None) -> tuple[Status, ...]:
    if text is None:
        return ()
    found: dict[Status, None] = {}
    for word in text.split(","):
        if not _is_status(word):
            raise BadRequest(
                f"status is {shortened(text, 80)!r}; it can be {', '.join(STATUSES)}, or several "
                "of them with commas between them.",
                param="status",
            )
        found[word] = None
    return tuple(found)


def _is_status(word: str) -> TypeGuard[Status]:
    return word in STATUSES


def _seconds(request: Request, name: str) -> float | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not _SECONDS.fullmatch(text) or float(text) > LATEST:
        raise BadRequest(
            f"{name} is {shortened(text, 40)!r}; it must be seconds since the epoch, such as "
            "1767225600.",
            param=name,
        )
    return float(text)
