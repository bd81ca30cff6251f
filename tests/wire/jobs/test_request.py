"""What is wrong with a job is named by its field."""

from typing import Any

import pytest
from msgspec import UNSET, json

from angelia.core.policy import Limits
from angelia.errors import BadRequest
from angelia.wire.jobs.request import limits_of, parse_change, parse_create
from angelia.wire.jobs.shapes import LimitsIn

GOOD = {"schedule": "every 2h", "input": "hello"}


def body(**fields: Any) -> bytes:
    return json.encode({**GOOD, **fields})


def test_a_job_needs_little() -> None:
    asked = parse_create(json.encode(GOOD))
    assert (asked.schedule, asked.input, asked.timezone, asked.until) == (
        *("every 2h", "hello"),
        *(None, None),
    )


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"schedule": "soon"}, "schedule"),
        ({"schedule": 5}, "schedule"),
        ({"schedule": ""}, "schedule"),
        ({"input": " \n"}, "input"),
        ({"input": None}, "input"),
        ({"timezone": ""}, "timezone"),
        ({"session_id": "a b"}, "session_id"),
        ({"session_id": "search"}, "session_id"),
        ({"catch_up": "never"}, "catch_up"),
        ({"overlap": "maybe"}, "overlap"),
        ({"max_firings": 0}, "max_firings"),
        ({"until": []}, "until"),
        ({"limits": {"max_steps": 0}}, "limits.max_steps"),
        ({"toolsets": ["files", ""]}, "toolsets[1]"),
        ({"webhook": ""}, "webhook"),
    ],
)
def test_an_error_names_the_field(fields: dict[str, Any], param: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_create(body(**fields))
    assert refused.value.param == param
    if "input" not in fields or fields["input"] is not None:
        with pytest.raises(BadRequest) as refused:
            parse_change(json.encode(fields))
        assert refused.value.param == param


@pytest.mark.parametrize("missing", ["schedule", "input"])
def test_what_is_missing_is_named(missing: str) -> None:
    given = {name: value for name, value in GOOD.items() if name != missing}
    with pytest.raises(BadRequest) as refused:
        parse_create(json.encode(given))
    assert (refused.value.param, refused.value.code) == (missing, "missing_required_parameter")


def test_a_change_tells_what_is_left_out_from_what_is_taken_back() -> None:
    asked = parse_change(b'{"until": null, "model": "angelia"}')
    assert (asked.until, asked.model, asked.schedule, asked.session_id) == (
        *(None, "angelia"),
        *(UNSET, UNSET),
    )


def test_limits_are_those_of_a_run() -> None:
    assert limits_of(None) == Limits()
    assert limits_of(LimitsIn(1, 2, 3, 4)) == Limits(1, 2, 3, 4)
