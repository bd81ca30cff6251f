"""/api/usage: what keys used and what it cost, by day, model or key."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia.core import days
from angelia.errors import NotFound
from angelia.ports import ApiKey, UsageFilter
from angelia.runtime.accounts import Account, added_up, total
from angelia.runtime.keyring import Keyring
from angelia.surfaces.http.requests import caller, services, shortened
from angelia.wire.keys.request import parse_usage
from angelia.wire.keys.server import amounts, latency, line
from angelia.wire.keys.shapes import AmountsOut, UsageLineOut, UsageReportOut

JSON = "application/json"


async def report(request: Request) -> Response:
    """A key's own usage; of all keys, or of one of them, for a key with the admin scope."""
    key = await caller(request, "read", "runs", "chat", "admin")
    given = services(request)
    asked = parse_usage(request.query_params, days.day_of(given.clock.now()))
    tenant = await _tenant(given.keyring, key, asked.key)
    wanted = UsageFilter(asked.first_day, asked.last_day, tenant)
    rows, times = await given.usage.find(wanted), await given.usage.latencies(wanted)
    names = {known.id: known.name for known in await given.keyring.list()}
    shown = UsageReportOut(
        first=days.iso(asked.first_day),
        last=days.iso(asked.last_day),
        group=asked.groups,
        data=tuple(_line(account, names) for account in added_up(rows, asked.groups, times)),
        total=_amounts(total(rows, times)),
    )
    return Response(msgspec.json.encode(shown), media_type=JSON)


async def _tenant(keyring: Keyring, asking: ApiKey, wanted: str | None) -> str | None:
    """Whose usage is shown; None is everybody's. Keys of others do not exist for most."""
    if "admin" in asking.scopes:
        return None if wanted is None else (await keyring.get(wanted)).id
    if wanted not in (None, asking.id):
        raise NotFound(
            f"There is no key {shortened(wanted or '')!r}.", param="key", code="key_not_found"
        )
    return asking.id


def _amounts(used: Account) -> AmountsOut:
    return amounts(
        runs=used.runs,
        failed=used.failed,
        calls=used.calls,
        usage=used.usage,
        cost=used.cost,
        latency=latency(used.latency.run, used.latency.call, used.latency.first),
    )


def _line(used: Account, names: dict[str, str]) -> UsageLineOut:
    return line(
        _amounts(used),
        day=used.day,
        model=used.model,
        key=used.tenant,
        key_name=None if used.tenant is None else names.get(used.tenant),
    )
