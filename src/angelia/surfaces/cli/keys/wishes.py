"""What a key should be, as options say it and as the server takes it."""

import re
from typing import TypeVar, cast, get_args

from msgspec import UNSET, Struct, UnsetType

from angelia.errors import RequestError
from angelia.wire.keys.shapes import ChangeKeyIn, CreateKeyIn, RulesIn, Scope

_SCOPES = get_args(Scope)
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([mhdw])")
_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
N = TypeVar("N", int, float)


class Wishes(Struct, frozen=True):
    """None is what was not said."""

    name: str | None = None
    scopes: str | None = None
    expires_in: str | None = None
    models: str | None = None
    tools: str | None = None
    requests_per_minute: int | None = None
    concurrent_runs: int | None = None
    daily_budget: float | None = None
    monthly_budget: float | None = None


def new_key(wishes: Wishes, now: float) -> CreateKeyIn:
    """Raises RequestError, which names the option that is wrong."""
    expires_at = _expiry(wishes.expires_in, now)
    wanted = CreateKeyIn(
        wishes.name or "",
        rules=_rules(wishes),
        expires_at=None if isinstance(expires_at, UnsetType) else expires_at,
    )
    scopes = _scopes(wishes.scopes)
    if not isinstance(scopes, UnsetType):
        wanted.scopes = scopes
    return wanted


def changed_key(wishes: Wishes, now: float) -> ChangeKeyIn:
    if wishes == Wishes():
        raise RequestError("Name what to change; --help lists the options.")
    return ChangeKeyIn(
        name=UNSET if wishes.name is None else wishes.name,
        scopes=_scopes(wishes.scopes),
        rules=_rules(wishes),
        expires_at=_expiry(wishes.expires_in, now),
    )


def _rules(wishes: Wishes) -> RulesIn:
    return RulesIn(
        models=_names(wishes.models),
        tools=() if wishes.tools == "none" else _names(wishes.tools),
        requests_per_minute=_limit(wishes.requests_per_minute),
        concurrent_runs=_limit(wishes.concurrent_runs),
        daily_budget=_limit(wishes.daily_budget),
        monthly_budget=_limit(wishes.monthly_budget),
    )


def _scopes(said: str | None) -> tuple[Scope, ...] | UnsetType:
    if said is None:
        return UNSET
    words = _words(said)
    if not words or not set(words) <= set(_SCOPES):
        raise RequestError(f"--scopes takes {', '.join(_SCOPES)}, with commas between.")
    return cast("tuple[Scope, ...]", words)


def _names(said: str | None) -> tuple[str, ...] | UnsetType | None:
    if said is None:
        return UNSET
    return None if said == "any" else _words(said)


def _limit(said: N | None) -> N | UnsetType | None:
    """0 is whatever holds for everybody."""
    return UNSET if said is None else said or None


def _expiry(said: str | None, now: float) -> float | UnsetType | None:
    if said is None:
        return UNSET
    if said == "never":
        return None
    found = _SPAN.fullmatch(said.strip())
    if found is None or not float(found[1]):
        raise RequestError("--expires-in takes a span such as 30d, 12h or 90m, or never.")
    return now + float(found[1]) * _SECONDS[found[2]]


def _words(said: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in said.split(",") if word.strip())
