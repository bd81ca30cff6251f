"""A run as clients see it."""

from angelia.core.events import Failed, RunEnded, RunStarted
from angelia.core.messages import Usage, user
from angelia.core.run import fold
from angelia.ports import RunRecord
from angelia.runtime.facing import facing

RUN = RunRecord(
    "run_1", "key_1", "m", "s", "runs", 1.0, 2.0, "running", output="as kept", usage=Usage(1, 2)
)


def test_without_a_state_the_record_tells() -> None:
    shown = facing(RUN)
    assert (shown.status, shown.output, shown.usage.total) == ("running", "as kept", 3)
    assert (shown.created_at, shown.updated_at, shown.error) == (1.0, 2.0, None)


def test_a_state_is_stronger_than_the_record() -> None:
    state = fold((RunStarted("m", (user("hi"),)), RunEnded(Failed("No.", "no"))))
    shown = facing(RUN, state)
    assert (shown.status, shown.output, shown.usage.total) == ("failed", "", 0)
    assert shown.error == Failed("No.", "no")
    assert (shown.run_id, shown.session_id, shown.model) == ("run_1", "s", "m")
