"""The response object at the end of a leg."""

import pytest
from msgspec import json

from angelia.core.events import Cancelled, Completed, Exhausted, Failed, RunEnded
from angelia.core.messages import ToolCall
from angelia.wire.responses.response import deleted
from tests.wire.chat.runs import STARTED, step
from tests.wire.responses.legs import ENDED, stream, types


@pytest.mark.parametrize(
    ("ending", "event", "status", "reason", "error"),
    [
        (Completed(), "completed", "completed", None, None),
        (Completed("length"), "incomplete", "incomplete", "max_output_tokens", None),
        (Completed("content_filter"), "incomplete", "incomplete", "content_filter", None),
        (Exhausted("max_steps"), "incomplete", "incomplete", "max_output_tokens", None),
        (Failed("No.", "upstream_stalled"), "failed", "failed", None, "upstream_stalled"),
        (Cancelled(), "failed", "cancelled", None, "run_cancelled"),
    ],
)
def test_how_a_run_ended_is_told(ending, event, status, reason, error) -> None:
    response, frames = stream(STARTED, *step(["So far."]), RunEnded(ending))
    assert types(frames)[-1] == event
    assert response["status"] == status
    assert (response["incomplete_details"] or {}).get("reason") == reason
    assert (response["error"] or {}).get("code") == error
    assert response["completed_at"] == (1 if status == "completed" else None)
    assert response["usage"]["total_tokens"] == 15


def test_a_budget_that_is_used_up_is_named() -> None:
    response, _ = stream(STARTED, RunEnded(Exhausted("max_seconds")))
    assert response["incomplete_details"] == {"reason": "max_output_tokens", "limit": "max_seconds"}


def test_usage_is_that_of_the_leg() -> None:
    response, _ = stream(
        STARTED, *step(["a"], (), (ToolCall("x", "f", "{}"),)), *step(["b"]), ENDED
    )
    assert response["usage"] == {
        "input_tokens": 20,
        "input_tokens_details": {"cached_tokens": 6, "cache_write_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 30,
    }


def test_a_deleted_response_says_so() -> None:
    told = {"id": "resp_1", "object": "response", "deleted": True}
    assert json.decode(deleted("resp_1")) == told
