"""What clients say about keys is read strictly, and every fault names its field."""

import msgspec
import pytest
from msgspec import UNSET

from angelia.core import days
from angelia.errors import BadRequest
from angelia.wire.keys.request import AskUsage, parse_change, parse_create, parse_usage
from angelia.wire.keys.shapes import PolicyIn, RulesIn

NOW = 1_000.0
TODAY = days.parse_iso("2026-03-10") or 0


def test_a_name_is_enough_for_a_key() -> None:
    asked = parse_create(b'{"name": "laptop", "color": "red"}', NOW)
    assert asked.name == "laptop"
    assert asked.scopes == ("chat", "runs", "read")
    assert asked.rules == RulesIn()
    assert asked.expires_at is None


def test_everything_about_a_key_is_read() -> None:
    rules = (
        b'{"models": ["angelia"], "tools": [], "policy": {"ask": ["terminal"]}, '
        b'"tool_events": "carrier", "tool_items": "mcp", "on_disconnect": "continue", '
        b'"requests_per_minute": 60, "concurrent_runs": 2, "daily_budget": 5, '
        b'"monthly_budget": null}'
    )
    body = b'{"name": "a", "scopes": ["read", "chat", "read"], "expires_at": 1001, "rules": %s}'
    asked = parse_create(body % rules, NOW)
    assert (asked.scopes, asked.expires_at) == (("chat", "read"), 1001.0)
    assert asked.rules == RulesIn(
        tool_events="carrier",
        tool_items="mcp",
        on_disconnect="continue",
        models=("angelia",),
        tools=(),
        policy=PolicyIn(ask=("terminal",)),
        requests_per_minute=60,
        concurrent_runs=2,
        daily_budget=5.0,
        monthly_budget=None,
    )


@pytest.mark.parametrize(
    ("body", "param", "code"),
    [
        (b"[]", None, "invalid_type"),
        (b"{}", "name", "missing_required_parameter"),
        (b'{"name": ""}', "name", "invalid_value"),
        (b'{"name": 7}', "name", "invalid_type"),
        (b'{"name": null}', "name", "invalid_type"),
        (b'{"name": " a"}', "name", "invalid_value"),
        (b'{"name": "a\\u0000b"}', "name", "invalid_value"),
        (b'{"name": "a\\nb"}', "name", "invalid_value"),
        (b'{"name": "%s"}' % (b"a" * 129), "name", "invalid_value"),
        (b'{"name": "a", "scopes": []}', "scopes", "invalid_value"),
        (b'{"name": "a", "scopes": ["root"]}', "scopes[0]", "invalid_value"),
        (b'{"name": "a", "scopes": "chat"}', "scopes", "invalid_type"),
        (b'{"name": "a", "expires_at": 1000}', "expires_at", "invalid_value"),
        (b'{"name": "a", "expires_at": "soon"}', "expires_at", "invalid_type"),
        (b'{"name": "a", "expires_at": 1e300}', "expires_at", "invalid_value"),
        (b'{"name": "a", "rules": 3}', "rules", "invalid_type"),
        (b'{"name": "a", "rules": {"models": []}}', "rules.models", "invalid_value"),
        (b'{"name": "a", "rules": {"models": ["a", 1]}}', "rules.models[1]", "invalid_type"),
        (b'{"name": "a", "rules": {"tool_events": "x"}}', "rules.tool_events", "invalid_value"),
        (b'{"name": "a", "rules": {"policy": {"ask": 1}}}', "rules.policy.ask", "invalid_type"),
        (
            b'{"name": "a", "rules": {"requests_per_minute": 0}}',
            "rules.requests_per_minute",
            "invalid_value",
        ),
        (
            b'{"name": "a", "rules": {"concurrent_runs": 1.5}}',
            "rules.concurrent_runs",
            "invalid_type",
        ),
        (b'{"name": "a", "rules": {"daily_budget": 0}}', "rules.daily_budget", "invalid_value"),
        (
            b'{"name": "a", "rules": {"monthly_budget": -1}}',
            "rules.monthly_budget",
            "invalid_value",
        ),
    ],
)
def test_a_fault_names_its_field(body: bytes, param: str | None, code: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_create(body, NOW)
    assert (refused.value.param, refused.value.code) == (param, code)


def test_what_a_change_leaves_out_stays() -> None:
    asked = parse_change(b"{}", NOW)
    assert (asked.name, asked.scopes, asked.expires_at) == (UNSET, UNSET, UNSET)
    assert msgspec.to_builtins(asked.rules) == {}


def test_a_change_may_take_something_away() -> None:
    asked = parse_change(b'{"expires_at": null, "rules": {"models": null}}', NOW)
    assert asked.expires_at is None
    assert msgspec.to_builtins(asked.rules) == {"models": None}


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b'{"name": null}', "name"),
        (b'{"name": "a\\tb"}', "name"),
        (b'{"scopes": null}', "scopes"),
        (b'{"scopes": []}', "scopes"),
        (b'{"rules": null}', "rules"),
        (b'{"expires_at": 999}', "expires_at"),
    ],
)
def test_a_change_is_read_as_strictly(body: bytes, param: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_change(body, NOW)
    assert refused.value.param == param


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ("2026-02-09", "2026-03-10", ("day",), None)),
        ({"from": "2026-03-01"}, ("2026-03-01", "2026-03-10", ("day",), None)),
        ({"to": "2026-01-30"}, ("2026-01-01", "2026-01-30", ("day",), None)),
        ({"from": "2026-03-10", "key": "key_1"}, ("2026-03-10", "2026-03-10", ("day",), "key_1")),
        ({"group": "key,day,key"}, ("2026-02-09", "2026-03-10", ("day", "key"), None)),
    ],
)
def test_a_question_about_usage_is_read(
    query: dict[str, str], expected: tuple[str, str, tuple[str, ...], str | None]
) -> None:
    asked = parse_usage(query, TODAY)
    assert isinstance(asked, AskUsage)
    shown = (days.iso(asked.first_day), days.iso(asked.last_day), asked.groups, asked.key)
    assert shown == expected


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ({"from": "yesterday"}, "from"),
        ({"from": ""}, "from"),
        ({"to": "2026-02-30"}, "to"),
        ({"from": "2026-03-02", "to": "2026-03-01"}, "to"),
        ({"from": "2026-03-11"}, "to"),
        ({"group": "week"}, "group"),
        ({"group": ""}, "group"),
        ({"group": "day,"}, "group"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(query: dict[str, str], param: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_usage(query, TODAY)
    assert (refused.value.param, refused.value.code) == (param, "invalid_value")
