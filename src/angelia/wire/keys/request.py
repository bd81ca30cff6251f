"""What clients of the key API send, read strictly into values."""

from collections.abc import Mapping
from typing import get_args

from msgspec import UNSET, Struct, UnsetType, json

from angelia.core import days
from angelia.wire import fields
from angelia.wire.keys.shapes import ChangeKeyIn, CreateKeyIn, Group, RulesIn, Scope

GROUPS: tuple[Group, ...] = get_args(Group)
# Without dates: this many days, today included.
USUAL_DAYS = 30

_SCOPES: tuple[Scope, ...] = get_args(Scope)
_create = json.Decoder(CreateKeyIn)
_change = json.Decoder(ChangeKeyIn)


class CreateKey(Struct, frozen=True):
    name: str
    scopes: tuple[Scope, ...]
    rules: RulesIn
    expires_at: float | None


class ChangeKey(Struct, frozen=True):
    """What is UNSET stays as it is."""

    name: str | UnsetType
    scopes: tuple[Scope, ...] | UnsetType
    rules: RulesIn
    expires_at: float | UnsetType | None


class AskUsage(Struct, frozen=True):
    """Days count from the epoch, both are included. `key` is the only one that is wanted."""

    first_day: int
    last_day: int
    groups: tuple[Group, ...]
    key: str | None


def parse_create(body: bytes, now: float) -> CreateKey:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body, _create)
    return CreateKey(
        _visible(given.name),
        _in_order(given.scopes),
        given.rules or RulesIn(),
        _later(given.expires_at, now),
    )


def parse_change(body: bytes, now: float) -> ChangeKey:
    given = fields.decode(body, _change)
    return ChangeKey(
        UNSET if given.name is UNSET else _visible(given.name),
        UNSET if given.scopes is UNSET else _in_order(given.scopes),
        RulesIn() if given.rules is UNSET else given.rules,
        UNSET if given.expires_at is UNSET else _later(given.expires_at, now),
    )


def parse_usage(query: Mapping[str, str], today: int) -> AskUsage:
    last = _day(query, "to", today)
    first = _day(query, "from", last - USUAL_DAYS + 1)
    if first > last:
        raise fields.refused("to", f"{days.iso(last)} is before 'from', which is {days.iso(first)}")
    return AskUsage(first, last, _groups(query.get("group", "day")), query.get("key"))


def _day(query: Mapping[str, str], param: str, default: int) -> int:
    if param not in query:
        return default
    day = days.parse_iso(query[param])
    if day is None:
        raise fields.refused(param, "expected a day such as 2026-01-31")
    return day


def _groups(text: str) -> tuple[Group, ...]:
    asked = text.split(",")
    if not set(asked) <= set(GROUPS):
        raise fields.refused(
            "group", f"expected {', '.join(GROUPS)}, or several with commas between"
        )
    return tuple(group for group in GROUPS if group in asked)


def _visible(name: str) -> str:
    if not name.isprintable() or name != name.strip():
        raise fields.refused("name", "expected visible characters, with no space around them")
    return name


def _in_order(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    return tuple(scope for scope in _SCOPES if scope in scopes)


def _later(moment: float | None, now: float) -> float | None:
    if moment is not None and moment <= now:
        raise fields.refused("expires_at", "this moment has passed")
    return moment
