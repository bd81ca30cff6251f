"""/api/keys: make, list, read, change and revoke keys; for keys with the admin scope."""

from typing import Literal

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.policy import Policy
from angelia.ports import ApiKey, KeyRules
from angelia.surfaces.http.requests import body, caller, services
from angelia.wire.keys.request import ChangeKey, parse_change, parse_create
from angelia.wire.keys.shapes import (
    KeyListOut,
    KeyOut,
    NewKeyOut,
    PolicyOut,
    RuleIn,
    RulesIn,
    RulesOut,
)

JSON = "application/json"


async def create(request: Request) -> Response:
    """The only answer that shows the secret."""
    await caller(request, "admin")
    given = services(request)
    asked = parse_create(await body(request), given.clock.now())
    rules = changed_rules(KeyRules(), asked.rules)
    key, secret = await given.keyring.issue(asked.name, asked.scopes, rules, asked.expires_at)
    shown = NewKeyOut(**asdict(_shown(key, key.created_at)), secret=secret)
    return _answer(shown, 201)


async def find(request: Request) -> Response:
    await caller(request, "admin")
    given = services(request)
    now = given.clock.now()
    return _answer(KeyListOut(tuple(_shown(key, now) for key in await given.keyring.list())))


async def get(request: Request) -> Response:
    await caller(request, "admin")
    given = services(request)
    key = await given.keyring.get(request.path_params["key_id"])
    return _answer(_shown(key, given.clock.now()))


async def change(request: Request) -> Response:
    admin = await caller(request, "admin")
    given = services(request)
    now = given.clock.now()
    asked = parse_change(await body(request), now)
    changed = await given.keyring.change(
        request.path_params["key_id"], lambda key: _changed(key, asked), by=admin
    )
    return _answer(_shown(changed, now))


async def revoke(request: Request) -> Response:
    """The key stays in the list, and what it made stays as well."""
    admin = await caller(request, "admin")
    given = services(request)
    key = await given.keyring.revoke(request.path_params["key_id"], by=admin)
    return _answer(_shown(key, given.clock.now()))


def changed_rules(rules: KeyRules, given: RulesIn) -> KeyRules:
    """What is not given stays; what is given as null goes."""
    merged = {**msgspec.to_builtins(rules), **msgspec.to_builtins(given)}
    kept = {name: value for name, value in merged.items() if value is not None}
    return msgspec.convert(kept, KeyRules)


def _changed(key: ApiKey, asked: ChangeKey) -> ApiKey:
    return replace(
        key,
        name=key.name if asked.name is UNSET else asked.name,
        scopes=key.scopes if asked.scopes is UNSET else asked.scopes,
        rules=changed_rules(key.rules, asked.rules),
        expires_at=key.expires_at if asked.expires_at is UNSET else asked.expires_at,
    )


def _answer(shown: KeyOut | KeyListOut, status: int = 200) -> Response:
    return Response(msgspec.json.encode(shown), status, media_type=JSON)


def _shown(key: ApiKey, now: float) -> KeyOut:
    rules = key.rules
    return KeyOut(
        id=key.id,
        name=key.name,
        hint=key.hint,
        status=_status(key, now),
        scopes=key.scopes,
        created_at=key.created_at,
        expires_at=key.expires_at,
        revoked_at=key.revoked_at,
        rules=RulesOut(
            tool_events=rules.tool_events,
            tool_items=rules.tool_items,
            on_disconnect=rules.on_disconnect,
            models=rules.models,
            tools=rules.tools,
            policy=_policy(rules.policy),
            requests_per_minute=rules.requests_per_minute,
            concurrent_runs=rules.concurrent_runs,
            daily_budget=rules.daily_budget,
            monthly_budget=rules.monthly_budget,
        ),
    )


def _policy(policy: Policy) -> PolicyOut:
    return PolicyOut(
        policy.ask,
        policy.deny,
        tuple(msgspec.convert(rule, RuleIn, from_attributes=True) for rule in policy.rules),
        policy.irreversible,
        policy.network,
    )


def _status(key: ApiKey, now: float) -> Literal["active", "expired", "revoked"]:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"
